import { statPath } from '#disk'
import { shellStepsSince, type ShellStep } from '#store'
import type { LeftReport, TurnId } from '#timeline'
import { addedTo, agreedTo, isIn, type Project } from '../project/index.ts'
import { lastLookOutside } from './observe-outside.ts'
import { toolOf } from './steps-told.ts'

/**
 * Directories of `--add-dir` in which commands of these turns may have changed files unseen. The
 * directory is named, not its files: nobody knows what they were before.
 */
export function leftInAdded(
  project: Project,
  /** The turns of a plan that ran commands. */
  turns: ReadonlySet<TurnId>,
): LeftReport[] {
  if (turns.size === 0) return []
  const own = shellStepsSince(project.store, 0).filter(({ turn }) => turn && turns.has(turn))
  const whole = new Set(own.map(({ tool }) => tool))
  const steps = own.filter(({ tool }) => {
    const { tool: id, part } = toolOf(tool)
    // A step that waited for its hooks was first told as cut off.
    return part === 'whole' || part === 'behind' || (part !== 'asked' && !whole.has(id))
  })
  const told = new Set(steps.map(({ turn }) => turn))
  return addedTo(project).flatMap((directory): LeftReport[] => {
    const why =
      whyUnseen(project, directory) ??
      // Without hooks no step is told of, and nothing was looked at around it.
      (told.size === turns.size && steps.every((step) => wasSeen(project, directory, step))
        ? null
        : UNSEEN)
    return why === null ? [] : [{ path: `${directory}/`, kind: 'outside', why }]
  })
}

const UNSEEN =
  'commands ran before Retake looked at this added directory; what they changed there stays'
const REFUSED = 'commands ran; Retake never looks at this added directory and leaves it as it is'
const GONE = 'this added directory is gone, and its files do not come back'

/** Why nothing is known of a directory whenever commands run; null when it is looked at. */
function whyUnseen(project: Project, directory: string): string | null {
  if (statPath(directory) === null) return GONE
  return agreedTo(project).some((each) => isIn(each, directory)) ? null : REFUSED
}

/** Whether a directory was looked at before the step and after it. */
function wasSeen({ store }: Project, directory: string, { began, ended }: ShellStep): boolean {
  const look = lastLookOutside(store, directory)
  return look !== null && look.first <= began && look.began >= ended
}
