import { durableDisk, writeOnce } from '#disk'
import { shellWords } from './loop-script.ts'
import { drop, type HANDOVER, type Supervised } from './supervised.ts'

/** How the loop is told what to start after the agent was ended. */
export interface Handover extends Disposable {
  /** The conversation has moved: the loop may start these. `plain` is for when that fails. */
  go(next: { readonly args: readonly string[]; readonly plain: readonly string[] }): void
}

/**
 * From now on the loop waits for `go` when the agent has ended. Disposed of before that, the agent
 * was not ended, and its next end is the user's.
 */
export function openHandover(
  { directory, program, process: { cwd } }: Supervised,
  plain: readonly string[],
): Handover {
  const write = (name: (typeof HANDOVER)[number], text: string): void => {
    drop(directory, [name])
    writeOnce(durableDisk, directory, name, Buffer.from(text))
  }
  // Read by the shell itself. A worktree that the agent made is where its session goes on.
  const start = (args: readonly string[]): string =>
    `${cwd === null ? '' : `cd ${shellWords([cwd])} 2>/dev/null\n`}set -- ${shellWords([program, ...args])}\n`
  drop(directory, ['next', 'trial'])
  write('by', `${process.pid}\n`)
  write('restarted', '')
  write('ending', start(plain))
  return {
    go(next) {
      write('trial', start(next.plain))
      write('next', start(next.args))
      drop(directory, ['ending'])
    },
    [Symbol.dispose]: () => drop(directory, ['ending', 'trial', 'by']),
  }
}
