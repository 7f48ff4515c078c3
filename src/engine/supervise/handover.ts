import { type Disk, writeOnce } from '#disk'
import { shellWords } from './loop-script.ts'
import { drop, type HANDOVER, type Supervised } from './supervised.ts'

/** Tells the loop what to start after Retake has ended the agent. */
export interface Handover extends Disposable {
  /**
   * The conversation has moved: the loop starts `args`, and falls back to `plain` if that fails.
   */
  go(next: { readonly args: readonly string[]; readonly plain: readonly string[] }): void
}

/**
 * From now on the loop waits for `go` after the agent ends. If this is disposed of before `go`, the
 * agent was not ended, and its next exit is the user's.
 */
export function openHandover(
  disk: Disk,
  { directory, program, process: { cwd } }: Supervised,
  plain: readonly string[],
): Handover {
  const write = (name: (typeof HANDOVER)[number], text: string): void => {
    drop(disk, directory, [name])
    writeOnce(disk, directory, name, Buffer.from(text))
  }
  // The shell sources this. If the agent made a worktree, its session continues there: hence the
  // `cd`.
  const start = (args: readonly string[]): string =>
    `${cwd === null ? '' : `cd ${shellWords([cwd])} 2>/dev/null\n`}set -- ${shellWords([program, ...args])}\n`
  drop(disk, directory, ['next', 'trial'])
  write('by', `${process.pid}\n`)
  write('restarted', '')
  write('ending', start(plain))
  return {
    go(next) {
      write('trial', start(next.plain))
      write('next', start(next.args))
      drop(disk, directory, ['ending'])
    },
    [Symbol.dispose]: () => drop(disk, directory, ['ending', 'trial', 'by']),
  }
}
