import type { RecordedEdit, Step, Subagent } from '#timeline'
import { field, string } from '../rows/index.ts'
import { aboutOf, commandOf, exitCodeOf, outputOf, type Call } from './call.ts'
import { editsOfChanges } from './file-changes.ts'
import { editsOfPatch, patchOf } from './patch-text.ts'
import { isSeen, kindOfTool } from './tool-kinds.ts'

/** What the rollout has about a call besides the call. */
export interface Result {
  readonly output: unknown
  /** A patch that was applied, or was to be. */
  readonly patch: { readonly noted: unknown; readonly at: string | null } | null
  readonly command: unknown
  /** When the agent noted the end of the command. */
  readonly commandAt: string | null
  /** When the command began, in ms since 1970; noted a moment after it began. */
  readonly startedAt: number | null
  readonly at: string | null
}

/** Finds the subagent that a call started, by the call's output. */
export type FindAgent = (call: Call, output: string) => Subagent | null

interface How {
  readonly by: 'agent' | 'subagent'
  readonly cwd: string | null
  readonly findAgent: FindAgent
}

export function stepOf(call: Call, result: Result | undefined, { by, cwd, findAgent }: How): Step {
  const { id, at, tool } = call
  const patch = result?.patch ?? null
  const outcome = outcomeOf(call, result)
  const isRefused = wasRefused(result)
  const text = patch === null && outcome === 'ok' ? appliedPatch(call, result) : null
  const isPatch =
    tool === 'apply_patch' || text !== null || (patch !== null && result?.command == null)
  const made = { step: id, by, cwd: string(field(call.input, 'workdir')) ?? cwd }
  const edits: RecordedEdit[] =
    patch !== null && patchState(patch.noted) === 'ok'
      ? editsOfChanges(field(patch.noted, 'changes'), { ...made, at: patch.at ?? at })
      : text !== null
        ? editsOfPatch(text, { ...made, at: result?.at ?? at })
        : []
  const agent = tool === 'spawn_agent' ? findAgent(call, outputOf(result?.output)) : null
  return {
    id,
    tool,
    kind: isPatch ? 'edit' : kindOfTool(tool),
    about: isPatch && edits.length > 0 ? edits.map(({ path }) => path).join(', ') : aboutOf(call),
    at,
    ...startOf(result),
    endedAt: result?.at ?? null,
    ...ranOn(result),
    outcome,
    ...saidBy(result, outcome === 'ok' && isPatch),
    edits,
    unknownEffect: isRefused ? null : effectOf(call, { outcome, isPatch, edits, isLost: tool === 'spawn_agent' && agent === null }), // prettier-ignore
    agent,
  }
}

/** The patch of a call that says that it applied it, if nothing else is recorded of it. */
function appliedPatch(call: Call, result: Result | undefined): string | null {
  if (result?.output == null || result.command !== null) return null
  return /^Success\. Updated the following files:$/m.test(outputOf(result.output)) ? patchOf(call) : null // prettier-ignore
}

function startOf(result: Result | undefined): Pick<Step, 'startedAt'> {
  const at = new Date(result?.startedAt ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? {} : { startedAt: at.toISOString() }
}

/** A command that takes long gives its result early, and goes on while the model does. */
function ranOn(result: Result | undefined): Pick<Step, 'ranOn'> {
  const { at = null, commandAt = null, output = null } = result ?? {}
  if (at === null || !/^Process running with session ID /m.test(outputOf(output).slice(0, 400)))
    return {}
  return { ranOn: { until: commandAt } }
}

/** A description of what the call may have written unrecorded; null if it cannot have. */
function effectOf(
  call: Call,
  {
    outcome,
    isPatch,
    edits,
    isLost,
  }: {
    outcome: Step['outcome']
    isPatch: boolean
    edits: readonly RecordedEdit[]
    isLost: boolean
  },
): string | null {
  if (outcome === 'denied') return null
  // A patch that failed halfway leaves the files that it had changed by then.
  if (isPatch) return edits.length > 0 || outcome === 'ok' ? null : call.tool
  if (isLost && outcome === 'ok') return call.tool
  if (isSeen(call.tool)) return null
  return kindOfTool(call.tool) === 'shell' ? (commandOf(call) ?? call.tool) : call.tool
}

/** Enough to see what happened; the rollout has the rest. */
const MAX_OUTPUT = 4000

function saidBy(result: Result | undefined, isFile: boolean): { said?: string } {
  if (result === undefined || isFile) return {}
  const said = string(field(result.command, 'aggregated_output')) ?? outputOf(result.output)
  // Copy it: a slice of a string would keep the whole string in memory.
  return said === '' ? {} : { said: Buffer.from(said.slice(0, MAX_OUTPUT)).toString() }
}

function outcomeOf({ tool }: Call, result: Result | undefined): Step['outcome'] {
  if (result === undefined) return tool === 'web_search' ? 'ok' : 'unfinished'
  const noted = result.patch === null ? null : patchState(result.patch.noted)
  if (noted !== null) return noted
  const status = field(result.command, 'status')
  if (status === 'declined') return 'denied'
  if (wasRefused(result)) return 'error'
  const said = result.output === null ? '' : outputOf(result.output)
  if (/^(exec|patch|command)?\s*(rejected|declined) by user/i.test(said)) return 'denied'
  if (/^aborted\b/i.test(said)) return 'interrupted'
  if (result.output === null && status !== 'completed' && status !== 'failed') return 'unfinished'
  const code = field(result.command, 'exit_code') ?? exitCodeOf(result.output)
  return status === 'failed' || (typeof code === 'number' && code !== 0) ? 'error' : 'ok'
}

/** A patch that does not fit, or an unknown tool, is refused before anything is written. */
function wasRefused(result: Result | undefined): boolean {
  return result?.output != null && REFUSED.test(outputOf(result.output))
}

const REFUSED = /^(apply_patch verification failed|unsupported call:)/

function patchState(noted: unknown): 'ok' | 'error' | 'denied' {
  const status = field(noted, 'status')
  if (status === 'declined') return 'denied'
  if (status === 'completed') return 'ok'
  // Before there was a status.
  return status === undefined && field(noted, 'success') === true ? 'ok' : 'error'
}
