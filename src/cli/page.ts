import { spawnSync } from 'node:child_process'

/**
 * Shows a text that is longer than the screen in the user's pager. False when that is not possible,
 * and the text is still to be written. `top` is the line to begin with; one can scroll up from it.
 */
export function showInPager(pager: string, text: string, top: number | null = null): boolean {
  const { status, error } = spawnSync('sh', ['-c', pager], {
    input: `${text}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    // As git does: colours pass, what fits stays on the screen.
    env: { ...process.env, LESS: lessOptions(process.env['LESS'], top) },
  })
  // 127: there is no such program. A pager that is left early is no failure.
  const isGone = error !== undefined && 'code' in error && error.code === 'EPIPE'
  return (error === undefined || isGone) && status !== 127
}

/** `less` runs what stands behind a plus when it starts: here, go to that line. */
function lessOptions(own: string | undefined, top: number | null): string {
  return [own ?? 'FRX', ...(top === null ? [] : [`+${top}g`])].join(' ')
}
