import { shortId, type CheckpointReport } from '#timeline'
import { textWidth } from './text-width.ts'
import { ageOf } from './age.ts'
import { pad, shorten, type Paint } from './paint.ts'

export function checkpointsText(
  checkpoints: readonly CheckpointReport[],
  paint: Paint,
  now: number,
): string {
  if (checkpoints.length === 0)
    return 'No checkpoints yet. Run `retake checkpoint NAME` to name the current turn.'
  const width = Math.max(...checkpoints.map(({ name }) => textWidth(name)))
  return checkpoints
    .map(({ name, turn, prompt, branch, at }) => {
      const which =
        turn.number === null
          ? `turn ${shortId(turn.id)}${branch === null ? '' : ` on ${branch.label}`}`
          : `turn ${turn.number}`
      const said = prompt === null ? 'no longer in the transcript' : prompt
      const facts = paint.quiet(`${pad(which, 8)}  ${pad(ageOf(at, now), 8)}`)
      return ` ${paint.accent(paint.signs.flag)} ${paint.strong(pad(name, width))}  ${facts}  ${shorten(said, Math.max(20, paint.width - width - 30), paint)}`
    })
    .join('\n')
}
