import { createInterface, type Interface } from 'node:readline/promises'
import { findProject, openRuns, readSession, type Run, type Runs } from '#engine'
import { Failure } from '#failure'
import type { Approval, ApprovalAnswer } from '#timeline'
import type { CommonFlags, Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { drawRun } from '../text/run-text.ts'
import { safeLine, visible } from '../visible.ts'
import { answerSlash, HELP } from './chat-slash.ts'

export interface ChatFlags extends CommonFlags {
  readonly new?: boolean
  readonly model?: string
  readonly agent?: string
  readonly permissionMode?: string
}

/** Continues a session in the terminal: with one prompt, or prompt by prompt until /exit. */
export async function chat(
  context: Context,
  flags: ChatFlags,
  given: string | undefined,
): Promise<void> {
  checkMode(flags.permissionMode)
  const runs = openRuns(context.machine, {
    environment: context.environment.agent,
    executable: null,
  })
  try {
    const talk = openTalk(context, flags, runs)
    if (given !== undefined || !context.interactive) {
      const outcome = await talk.say(given ?? (await readAll()))
      if (!context.interactive) return void (process.exitCode = EXITS[outcome])
    }
    await talkOn(context, talk)
  } finally {
    await runs.close()
  }
}

const EXITS = {
  done: exitCodes.done,
  failed: exitCodes.failed,
  interrupted: exitCodes.interrupted,
} as const

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions']

function checkMode(mode: string | undefined): void {
  if (mode !== undefined && !MODES.includes(mode))
    throw new Failure('usage', `\`--permission-mode\` takes one of ${MODES.join(', ')}.`)
}

interface Talk {
  /** Null until the first prompt of a new session. */
  readonly session: string | null
  say(prompt: string): Promise<Awaited<Run['ended']>>
}

function openTalk(context: Context, flags: ChatFlags, runs: Runs): Talk {
  let session = startingSession(context, flags)
  const project = context.wanted.project ?? context.machine.places.cwd
  return {
    get session() {
      return session
    },
    async say(prompt) {
      const run = runs.converse({
        session,
        project: session === null ? project : null,
        prompt,
        model: flags.model ?? null,
        permissionMode: flags.permissionMode ?? null,
        agent: flags.agent ?? null,
      })
      const outcome = await follow(context, runs, run)
      session = run.session
      return outcome
    },
  }
}

/** The named session, or the project's newest. Null starts a new session. */
function startingSession({ machine, wanted }: Context, flags: ChatFlags): string | null {
  if (flags.new === true) return null
  const directory = wanted.project ?? machine.places.cwd
  if (wanted.session === null && findProject(machine, directory) === null) return null
  return readSession(machine, wanted).report.id
}

async function follow(context: Context, runs: Runs, run: Run): Promise<Awaited<Run['ended']>> {
  const place = { paint: context.paint, project: run.project }
  const draw = drawRun(place, (text) => void process.stdout.write(text))
  const stop = (): void => void runs.stop(run.session)
  process.on('SIGINT', stop)
  const questions: Promise<void>[] = []
  run.log.follow(0, (event) => {
    if (context.json) process.stdout.write(`${safeLine({ session: run.session, ...event })}\n`)
    else draw(event)
    if (event.type === 'approval') questions.push(decide(context, runs, event, stop))
  })
  try {
    return await run.ended
  } finally {
    process.off('SIGINT', stop)
    await Promise.all(questions)
  }
}

/** Without a terminal, deny and tell the agent why. */
async function decide(
  context: Context,
  runs: Runs,
  approval: Approval,
  stop: () => void,
): Promise<void> {
  const answer = context.interactive
    ? await ask(approval, stop)
    : { allow: false as const, reason: 'There is no terminal to ask.' }
  runs.answer(approval.id, answer)
}

async function ask(
  { tool, about, title, canAlways }: Approval,
  stop: () => void,
): Promise<ApprovalAnswer> {
  using terminal = openTerminal()
  // In raw mode readline gets Ctrl-C as a key, so the process gets no SIGINT.
  terminal.on('SIGINT', () => {
    stop()
    terminal.close()
  })
  const what = visible(title ?? `${tool} ${about}`)
  const keys = canAlways ? '[y]es, [a]lways, [n]o, or say why not' : '[y]es, [n]o, or say why not'
  const said = await terminal.question(`${what}\n${keys}: `).catch(() => '')
  const word = said.trim()
  if (/^y(es)?$/i.test(word)) return { allow: true }
  if (canAlways && /^a(lways)?$/i.test(word)) return { allow: true, always: true }
  return /^(no?)?$/i.test(word) ? { allow: false } : { allow: false, reason: word }
}

async function talkOn(context: Context, talk: Talk): Promise<void> {
  context.say(context.paint.quiet(HELP))
  let offered = ''
  for (;;) {
    const said = await readPrompt(offered)
    offered = ''
    if (said === null || said === '/exit') return
    if (said === '') continue
    try {
      if (said.startsWith('/')) offered = await answerSlash(context, talk.session, said)
      else await talk.say(said)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      context.say(
        `${visible(error.message)}${error.hint === undefined ? '' : ` ${context.paint.say(error.hint)}`}`,
      )
    }
  }
}

/** Null at end of input or on Ctrl-C. */
async function readPrompt(offered: string): Promise<string | null> {
  using terminal = openTerminal()
  const ended = new Promise<null>((resolve) => {
    terminal.once('close', () => resolve(null))
    terminal.once('SIGINT', () => resolve(null))
  })
  const asked = terminal.question('> ').catch(() => null)
  // Prefill the undone prompt for editing.
  if (offered !== '') terminal.write(offered)
  const said = await Promise.race([asked, ended])
  return said === null ? null : said.trim()
}

function openTerminal(): Interface & Disposable {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return Object.assign(terminal, { [Symbol.dispose]: () => terminal.close() })
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece as string
  return text
}
