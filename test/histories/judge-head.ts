import type { Operation } from './history.ts'
import { Wrong } from './wrong.ts'

/** Checks that a finished operation left the head where it should be. */
export function judgeHead(act: Operation, at: string | null, path: readonly string[]): void {
  const wanted = wantedHead(act, path)
  if (wanted !== undefined && wanted !== at)
    throw new Wrong('head', `${JSON.stringify(act)}: at ${at}, not ${wanted}`)
}

/** `undefined` accepts any head. `path` leads to the head before the operation. */
function wantedHead(act: Operation, path: readonly string[]): string | null | undefined {
  const stays = act.do === 'restore' || act.do === 'revert' || act.do === 'revert-files'
  if (stays || act.only === 'files') return path.at(-1) ?? null
  if (act.do === 'undo') return path[Math.max(0, path.length - 1 - act.count)]
  const isMove = act.do === 'rewind' || act.do === 'switch' || act.do === 'exact'
  return isMove ? (act.to ?? undefined) : undefined
}
