import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { hasSession, keepSessions, openMachine, type Machine, type SessionQuery } from '#engine'
import { Failure } from '#failure'
import { shortId, type SessionReport } from '#timeline'
import { readEnvironment, type Environment } from './environment.ts'
import type { Output } from './output.ts'
import { showInPager } from './page.ts'
import { writeError } from './report-failure.ts'
import { makePaint, type Paint } from './text/paint.ts'
import { safeJson, visible } from './visible.ts'

/** Flags of every verb. */
export interface CommonFlags {
  readonly session?: string
  readonly project?: string
  readonly json?: boolean
}

/** Everything a command needs: the machine, the wanted session, and the outputs. */
export interface Context extends Disposable {
  readonly environment: Environment
  readonly machine: Machine
  readonly wanted: SessionQuery
  readonly json: boolean
  /** Standard input and error are terminals, so Retake may ask questions. */
  readonly interactive: boolean
  readonly paint: Paint
  readonly now: number
  /** JSON, on standard output. */
  print(view: object): void
  /** Text for people, on standard output. */
  write(text: string): void
  /** Like `write`, but in a pager if the text is longer than the terminal. */
  page(text: string, how?: { readonly at: number | null }): void
  /** Messages and questions, on standard error. */
  say(text: string): void
}

export function openContext(flags: CommonFlags, output: Output = process.stdout): Context {
  const environment = readEnvironment(process.env, output)
  const machine = openMachine(environment.places, {
    now: () => new Date(),
    newId: () => randomUUID(),
  })
  const said = new Set<string>()
  return {
    environment,
    machine,
    wanted: {
      session: flags.session ?? insideSession(environment, machine, flags),
      project: flags.project === undefined ? null : resolve(flags.project),
      onSeveral(taken, others) {
        const text = severalText(taken, others)
        if (!said.has(text)) writeError(`${visible(text)}\n`)
        said.add(text)
      },
    },
    json: flags.json === true,
    // A getter: touching `process.stdin` opens it for reading, which most commands must not do.
    get interactive() {
      return process.stdin.isTTY && process.stderr.isTTY
    },
    paint: makePaint(environment),
    now: Date.now(),
    print: (view) => void output.write(`${safeJson(view)}\n`),
    write: (text) => void output.write(`${text}\n`),
    page(text, { at } = { at: null }) {
      const { pager } = environment
      const rows = output.rows || Infinity
      const isLong = text.split('\n').length >= rows
      const top = at === null ? null : Math.max(1, at - Math.floor(rows / 2))
      if (pager === null || !isLong || !showInPager(pager, text, top)) this.write(text)
    },
    say: (text) => writeError(`${text}\n`),
    [Symbol.dispose]: () => machine[Symbol.dispose](),
  }
}

function severalText(taken: SessionReport, others: readonly SessionReport[]): string {
  const ids = others.map(({ id }) => shortId(id)).join(', ')
  return `${others.length + 1} sessions are open here. This is ${sessionName(taken)}; \`--session ID\` chooses another: ${ids}.`
}

export function sessionName({ title, id }: Pick<SessionReport, 'title' | 'id'>): string {
  return `“${title}” (${shortId(id)})`
}

/** Inside an agent, commands default to the session it has open, not to the newest one. */
function insideSession(
  { inside }: Environment,
  machine: Machine,
  { project }: CommonFlags,
): string | null {
  if (inside === null || project !== undefined) return null
  return hasSession(machine, inside.session) ? inside.session : null
}

/**
 * Copies the transcripts that were read. Runs after the answer is printed, so that no one waits.
 */
export function keepRead(context: Context): void {
  const { machine, paint } = context
  try {
    keepSessions(machine, machine.read)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.say(paint.warning(visible(`The transcript could not be copied: ${error.message}`)))
  }
}
