import { shortId, type KeptReport, type LossReport } from '#timeline'
import { bytesText } from './bytes.ts'
import type { Paint } from './paint.ts'

/** Storage used, and what to do near the quota. */
export function keptText({ project, all, quota, level }: KeptReport, paint: Paint): string {
  const here = project > 0 ? `${bytesText(project)} of this project, ` : ''
  const text = `${here}${bytesText(all)} in all, of ${bytesText(quota)}`
  if (level === 'fine') return text
  const why =
    level === 'full'
      ? 'full: Retake no longer records what commands do to files'
      : `${Math.floor((all / quota) * 100)} % of the quota`
  return paint.warning(`${text} (${why}); run \`retake gc\`, or \`retake settings set quota SIZE\``)
}

const HOW = {
  gone: 'was deleted',
  shrunk: 'was cut',
  rewritten: 'was rewritten',
} as const

/** A warning for each transcript that was deleted or damaged, with the command that restores it. */
export function lossText(losses: readonly LossReport[], paint: Paint): string[] {
  return losses.map(({ session, title, how, kept, left }) => {
    const rest = how === 'gone' ? '' : ` (${bytesText(left)} are left)`
    return paint.warning(
      `The transcript of ${shortId(session)}${title === '' ? '' : ` “${title}”`} ${HOW[how]}${rest}. Retake has ${bytesText(kept)} of it. Run \`retake rescue ${shortId(session)}\` to get it back.`,
    )
  })
}
