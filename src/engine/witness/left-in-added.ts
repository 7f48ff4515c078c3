import type { OpenSession } from '#agents'
import { statPath } from '#disk'
import { shellStepsSince, type ShellStep } from '#store'
import { stepsOf, type LeftReport, type Step, type TurnId } from '#timeline'
import { addedOutside, addedTo, agreedTo, isIn, type Project } from '../project/index.ts'
import { lastOutsideScan } from './observe-outside.ts'
import { toolOf } from './reported-steps.ts'

/**
 * Directories given with `--add-dir` in which commands of these turns may have changed files
 * unseen. Only the directory is listed: the earlier contents of its files are unknown.
 */
export function leftInAdded(
  project: Project,
  session: OpenSession,
  /** The turns of a plan that ran commands. */
  turns: readonly TurnId[],
): LeftReport[] {
  const added = turns.length === 0 ? [] : addedTo(project)
  if (added.length === 0) return []
  const reported = Map.groupBy(shellStepsSince(project.store, 0), ({ tool }) => toolOf(tool).tool)
  const ran = turns.flatMap((turn) =>
    commandsIn(stepsOf(session.readTurn(turn).moments)).map(({ id, at }) => ({
      times: timesOf(reported.get(id)),
      given: addedOutside(session, project.path, at === null ? undefined : Date.parse(at)),
    })),
  )
  return added.flatMap((directory): LeftReport[] => {
    const there = ran.filter(({ given }) => given.includes(directory))
    if (there.length === 0) return []
    const why =
      whyUnseen(project, directory) ??
      (there.every(({ times }) => wasSeen(project, directory, times)) ? null : UNSEEN)
    return why === null ? [] : [{ path: `${directory}/`, kind: 'outside', why }]
  })
}

function commandsIn(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    ...(step.unknownEffect === null || step.outcome === 'denied' ? [] : [step]),
    ...commandsIn(step.agent?.steps ?? []),
  ])
}

interface Times {
  readonly began: number
  readonly ended: number
}

/** Null if no hook reported the step: then no scan ran around it. */
function timesOf(reported: readonly ShellStep[] = []): Times | null {
  const parts = reported.map((step) => ({ ...step, part: toolOf(step.tool).part }))
  // A step whose shell had not started yet was first recorded as cut off.
  const find = (wanted: string) => parts.find(({ part }) => part === wanted)
  return find('whole') ?? find('stopped') ?? find('cut') ?? null
}

const UNSEEN =
  'commands ran before Retake recorded this added directory; what they changed there stays'
const REFUSED = 'commands ran; Retake does not record this added directory, so it stays as it is'
const GONE = 'this added directory is gone, and its files are not restored'

/** Why a directory is not scanned at all; null if it is. */
function whyUnseen(project: Project, directory: string): string | null {
  if (statPath(directory) === null) return GONE
  return agreedTo(project).some((each) => isIn(each, directory)) ? null : REFUSED
}

/** Whether the directory was scanned before the step and after it. */
function wasSeen({ store }: Project, directory: string, times: Times | null): boolean {
  const scan = times && lastOutsideScan(store, directory)
  return scan !== null && scan.first <= times!.began && scan.began >= times!.ended
}
