import { spawnSync } from 'node:child_process'
import { inspectProcess } from '../../inspect-process.ts'

/** A process, with what distinguishes it from a later one with the same pid. */
export interface Descendant {
  readonly pid: number
  readonly started: string
}

/** Codex runs commands in process groups of their own, so its group does not contain them. */
export function descendantsOf(pid: number): Descendant[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  })
  const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const children = Map.groupBy(pairs, ([, parent]) => parent!)
  const found: Descendant[] = []
  const todo = [pid]
  for (const parent of todo)
    for (const [child] of children.get(parent) ?? []) {
      const started = child === undefined ? undefined : inspectProcess(child)?.started
      if (started === undefined || found.some((each) => each.pid === child)) continue
      found.push({ pid: child!, started })
      todo.push(child!)
    }
  return found
}

/** Kills those that still run: a turn that was stopped must not write any more. */
export function killLeft(left: readonly Descendant[]): void {
  for (const { pid, started } of left) {
    if (inspectProcess(pid)?.started !== started) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has exited meanwhile.
    }
  }
}
