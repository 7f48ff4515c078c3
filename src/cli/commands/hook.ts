import { text } from 'node:stream/consumers'
import {
  claimEvent,
  hasSession,
  openProject,
  readSession,
  readSettings,
  reopenWhenIdle,
  settleMoves,
  takePendingNews,
  untilLeft,
  wordsOf,
  type Capture,
  type PendingNews,
  type Project,
} from '#engine'
import { Failure } from '#failure'
import { forSession } from '#protocol'
import { shortId, type TurnName } from '#timeline'
import type { Context } from '../context.ts'
import { visible } from '../visible.ts'
import { answerPrompt, readAsked } from './hook-answer.ts'
import type { HookInput } from './hook-input.ts'

/**
 * Handles a hook of the agent. Swallows every Failure and exits with 0, because a failing hook
 * would disturb the user's turn.
 */
export async function hook(context: Context, event: string, name?: string): Promise<void> {
  const input = readInput(await text(process.stdin))
  const { agents } = context.machine
  const capture = agents.find((agent) => name === undefined || agent.name === name)?.capture
  if (input === null || !capture) return
  try {
    if (event === 'SessionEnd') await endSession(context, input, capture)
    if (event === 'UserPromptSubmit') await submitPrompt(context, input, capture)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Runs detached, started by `reopenLater`, so it has nowhere to print to. */
export async function reopen(
  { machine }: Context,
  session: string,
  after: number | null,
): Promise<void> {
  await reopenWhenIdle(machine, session, after)
}

function readInput(said: string): HookInput | null {
  try {
    const event = JSON.parse(said) as Record<string, unknown>
    const { session_id: session, cwd, prompt, turn_id: turnId } = event
    const { prompt_id: promptId = turnId } = event
    if (typeof session !== 'string' || typeof cwd !== 'string') return null
    return {
      session,
      cwd,
      prompt: typeof prompt === 'string' ? prompt : '',
      promptId: typeof promptId === 'string' ? promptId : null,
    }
  } catch {
    return null
  }
}

/** Runs after the agent's last write, so pending moves can be applied or voided now. */
async function endSession(
  context: Context,
  { session, cwd }: Pick<HookInput, 'session' | 'cwd'>,
  { leavesAfterHook }: Capture,
): Promise<void> {
  if (leavesAfterHook) await untilLeft(context.machine, session)
  const pid = context.environment.inside?.pid ?? null
  using project = openHome(context, { session, cwd })
  await settleMoves(context.machine, project, { session, ...(pid === null ? {} : { left: pid }) })
}

/**
 * Blocks a prompt that is a Retake command: it never reaches the model and makes no turn. Any other
 * prompt voids a pending move. An interactive user is asked once first, and Retake tells the model which
 * files no longer match what it wrote.
 */
async function submitPrompt(context: Context, input: HookInput, capture: Capture): Promise<void> {
  const block = (reason: string): void => context.print(capture.blockPrompt(visible(reason)))
  // The agent's own notifications, such as the end of background work, are not prompts.
  if (input.prompt.startsWith('<task-notification>')) return
  const { session, promptId, prompt } = input
  const startedAt = performance.timeOrigin
  const event = { event: 'UserPromptSubmit', session, promptId, prompt, startedAt }
  using claim = claimEvent(context.machine, event)
  if (claim === null) return
  const { settings } = readSettings(context.machine)
  const asked = readAsked(prompt, { plain: settings.plainUndo })
  if (asked !== null) return block(await answerPrompt(context, input, asked))
  using project = openHome(context, input)
  await settleMoves(context.machine, project)
  const news = takePendingNews(context.machine, project, session)
  if (news === null) return
  if (news.kind === 'ask') return block(askText(context, news, session))
  if (news.files.length === 0) return
  const files = news.files.join(', ')
  context.print({
    systemMessage: visible(
      `Retake: the conversation stays here. Reverted for good: ${files}. ${howBack(news.turns)}`,
    ),
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: `The user undid file changes of the last ${news.turns.length === 1 ? 'turn' : `${news.turns.length} turns`} with Retake. These files are no longer as you left them: ${files}. Read them again before you rely on them, and do not redo those changes unless asked to.`,
    },
  })
}

function askText(
  { machine }: Context,
  { to, files }: Extract<PendingNews, { kind: 'ask' }>,
  session: string,
): string {
  const where =
    to === null ? 'with an empty conversation' : `from turn ${to.number ?? shortId(to.id)}`
  const keep = files.length === 0 ? '' : ' and keep the files as they are'
  const go = forSession(wordsOf(machine, session).switchTo, session)
  return `The conversation has not moved yet. Send the prompt again to stay here${keep}; or type ${go}, to continue ${where}.`
}

function howBack(turns: readonly TurnName[]): string {
  const names = turns.map(({ number, id }) => number ?? shortId(id))
  const commands = names.map((name) => `\`retake revert ${name} --off\``)
  return names.length === 1
    ? `Run ${commands[0]} to bring them back.`
    : `Run ${commands.join(', ')} to bring them back.`
}

/** The session's own project; the agent's current directory may be elsewhere by now. */
function openHome(
  { machine }: Context,
  { session, cwd }: Pick<HookInput, 'session' | 'cwd'>,
): Project {
  const known = hasSession(machine, session)
  const home = known ? readSession(machine, { session, project: null }).report.project : null
  return openProject(machine, home ?? cwd)
}
