import { spawnSync } from 'node:child_process'

/**
 * Shows text in the user's pager, starting at line `top`; the user can scroll up from it. False if
 * the pager could not start and the caller must print the text.
 */
export function showInPager(pager: string, text: string, top: number | null = null): boolean {
  const { status, error } = spawnSync('sh', ['-c', pager], {
    input: `${text}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    // As git does: pass colours through, and quit if the text fits on one screen.
    env: { ...process.env, LESS: lessOptions(process.env['LESS'], top) },
  })
  // 127: the shell did not find the pager. EPIPE: the user quit it early, which is no failure.
  const isGone = error !== undefined && 'code' in error && error.code === 'EPIPE'
  return (error === undefined || isGone) && status !== 127
}

/** `less` runs the command after `+` when it starts; `g` goes to a line. */
function lessOptions(own: string | undefined, top: number | null): string {
  return [own ?? 'FRX', ...(top === null ? [] : [`+${top}g`])].join(' ')
}
