/** One entry of an event in the settings; all agents that have hooks use this shape. */
export interface HookEntry {
  readonly matcher?: string
  readonly hooks: readonly {
    readonly type: 'command'
    readonly command: string
    readonly timeout: number
  }[]
}

/**
 * An agent's hooks: the entry of each event. `made` is stored in the text of the first command, so
 * that uninstalling can undo the installation exactly.
 */
export type HookEntries = (made?: readonly string[]) => readonly (readonly [string, HookEntry])[]

/** The start of each Retake command; the words after it say what the installation created. */
export const MARK = ': retake'

/** What the installation created, if the command is Retake's; otherwise null. */
export function readMark(command: unknown): string[] | null {
  if (typeof command !== 'string') return null
  const ours = /^: retake((?: [A-Za-z-]+)*);/.exec(command)
  return ours === null ? null : ours[1]!.split(' ').filter(Boolean)
}
