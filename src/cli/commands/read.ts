import {
  anyHooksInstalled,
  hookSourcesOf,
  nameSession,
  readLog,
  readLogWhere,
  readStatus,
  readTurn,
  settleSession,
  realOf,
  toProjectPath,
  type LogFilter,
  type Reveal,
  type SessionQuery,
} from '#engine'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '#failure'
import { logView, showView, statusView, treeView } from '#protocol'
import type { Context } from '../context.ts'
import { logText } from '../text/log-text.ts'
import { settledText } from '../text/pending-text.ts'
import { showText } from '../text/show-text.ts'
import { hooksText, lineText, statusText } from '../text/status-text.ts'
import { treeText } from '../text/tree-text.ts'
import { readTime } from '../text/age.ts'
import { allVisible } from '../visible.ts'
import { readCount } from './read-count.ts'

/** The verbs that only read. Each prints one JSON object, or text for people. */

/**
 * Reports what became of a pending move, because a killed agent could not. Returns the resolved
 * session, so that callers do not look it up again.
 */
async function settleHere(context: Context): Promise<SessionQuery> {
  const { machine, wanted } = context
  const named = nameSession(machine, wanted)
  for (const settled of await settleSession(machine, named))
    context.say(allVisible(settledText(settled)))
  return { session: named.id, project: null }
}

export interface LogFlags {
  readonly number?: string
  readonly all?: boolean
  readonly newestFirst?: boolean
  readonly since?: string
  readonly grep?: string
  readonly files?: string
}

export async function log(context: Context, flags: LogFlags): Promise<void> {
  const wanted = await settleHere(context)
  const filter = readFilter(context, flags, wanted)
  const { log: report, all, earlier } = readLogWhere(context.machine, wanted, filter)
  if (context.json) return context.print(logView(report))
  const newestFirst = flags.newestFirst === true
  const drawn = { all, earlier, newestFirst, filtered: isFiltered(flags) }
  const { text, headAt } = logText(allVisible(report), context.paint, context.now, drawn)
  context.page(text, { at: headAt })
}

/** Turns drawn on a screen by default: drawing 3,000 takes seconds. */
const ON_SCREEN = 100

function readFilter(context: Context, flags: LogFlags, wanted: SessionQuery): LogFilter {
  const { number, since, grep, files, all } = flags
  const last = number === undefined ? undefined : readCount(number)
  const isBounded = !isFiltered(flags) && all !== true && context.environment.pager !== null
  return {
    ...(last !== undefined ? { last } : isBounded && !context.json ? { last: ON_SCREEN } : {}),
    ...(since === undefined ? {} : { since: readTime(since, context.now) }),
    ...(grep === undefined ? {} : { words: grep }),
    ...(files === undefined ? {} : { path: pathOf(context, files, wanted) }),
  }
}

function isFiltered({ since, grep, files }: LogFlags): boolean {
  return since !== undefined || grep !== undefined || files !== undefined
}

/** Resolves a path from the current directory to the form that the log prints. */
function pathOf({ machine }: Context, path: string, wanted: SessionQuery): string {
  const { project } = nameSession(machine, wanted)
  const absolute = resolve(machine.places.cwd, path)
  if (project === null || absolute === project) return path
  return toProjectPath(absolute, project) ?? realOf(absolute)
}

export function tree(context: Context): void {
  const report = readLog(context.machine, context.wanted)
  if (context.json) context.print(treeView(report))
  else context.page(treeText(allVisible(report), context.paint))
}

export function show(context: Context, turn: string, how: Reveal): void {
  const report = readTurn(context.machine, context.wanted, turn, how)
  if (context.json) context.print(showView(report))
  else context.page(showText(allVisible(report), context.paint, context.now))
}

/** One line for a status bar. Prints nothing instead of an error, which would fill the bar. */
export async function statusLine(context: Context): Promise<void> {
  const said = context.wanted.session === null ? await readSaid() : null
  const wanted = said === null ? context.wanted : { session: said, project: null }
  try {
    context.write(lineText(allVisible(readStatus(context.machine, wanted)), context.paint))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Stop waiting for standard input after this many ms: some callers never close it. */
const STDIN_TIMEOUT_MS = 500

/** The agent passes the session id to its status line as JSON on standard input. */
async function readSaid(): Promise<string | null> {
  if (process.stdin.isTTY) return null
  try {
    // `ref: false`: a pending timer would keep the process alive.
    const heard = await Promise.race([
      text(process.stdin),
      sleep(STDIN_TIMEOUT_MS, '', { ref: false }),
    ])
    const said = JSON.parse(heard) as { session_id?: unknown }
    return typeof said.session_id === 'string' ? said.session_id : null
  } catch {
    // Other status bars pass nothing, or other text.
    return null
  } finally {
    process.stdin.destroy()
  }
}

export async function status(context: Context): Promise<void> {
  const wanted = await settleHere(context).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'no-session'
      ? withHooks(error, context)
      : error
  })
  const report = readStatus(context.machine, wanted)
  if (context.json) context.print(statusView(report))
  else context.write(statusText(allVisible(report), context.paint, context.environment.home))
}

/** After `install`, users run `status` before any session exists. */
function withHooks({ message, hint = '' }: Failure, { machine, wanted }: Context): Failure {
  const hooks = anyHooksInstalled(machine, wanted.project ?? machine.places.cwd)
  const said = hooksText(hookSourcesOf(machine, wanted.project))
  return new Failure('no-session', `${message} ${said}`, { hint, details: { hooks } })
}
