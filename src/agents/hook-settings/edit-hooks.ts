import {
  insertPart,
  memberOf,
  outlineJson,
  sliceText,
  spliceText,
  styleOf,
  type JsonPart,
  type JsonValue,
} from '#disk'
import { readMark, type HookEntries, type HookEntry } from './hook-entry.ts'

/**
 * Adds Retake's hooks to the text of an agent's settings file, and removes them.
 *
 * E1  removeHooks(addHooks(text)) is text, byte for byte.
 * E2  addHooks is idempotent.
 * E3  Everything that is not Retake's stays in place, even if it was added after the installation.
 * E4  Settings that cannot be changed safely are refused and left alone.
 * E5  At every moment the file holds the complete old text or the complete new one.
 *
 * An insertion always ends before the white space that was there, so that cutting it out gives the
 * old text. What the text does not show afterwards (did the empty `hooks` exist before?) is
 * recorded by words in Retake's first command: Retake created `file`, `directory`, `hooks` and
 * events that are named; `bare-…` existed as `{}` or `[]`.
 */
export function addHooks(
  hookEntries: HookEntries,
  text: string | null,
  made: readonly string[] = [],
): string {
  if (text === null) return addHooks(hookEntries, '{\n}\n', ['file', ...made])
  const style = styleOf(text)
  const root = outlineJson(text)
  const hooks = memberOf(root, 'hooks')
  if (hooks === undefined) {
    const words = [...bare(root, 'root'), 'hooks', ...made]
    const all = Object.fromEntries(hookEntries(words).map(([event, entry]) => [event, [entry]]))
    return insertPart(text, root, 'hooks', all, style)
  }
  const words = [...bare(hooks, 'hooks'), ...made]
  for (const [event] of hookEntries()) {
    const entries = memberOf(hooks, event)
    words.push(...(entries === undefined ? [event] : bare(entries, event)))
  }
  let edited = text
  for (const [event, entry] of hookEntries(words)) {
    const container = memberOf(outlineJson(edited), 'hooks')!
    const entries = memberOf(container, event)
    edited =
      entries === undefined
        ? insertPart(edited, container, event, [entry], style)
        : insertPart(edited, entries, null, entry, style)
  }
  return edited
}

export interface RemovedHooks {
  readonly text: string
  /** What the installation created; empty if no hook of Retake was there. */
  readonly made: ReadonlySet<string>
  readonly found: number
  /** Only an empty object is left. */
  readonly empty: boolean
}

export function removeHooks(text: string): RemovedHooks {
  const made = new Set(marks(text).flat())
  let edited = text
  let found = 0
  for (;;) {
    const ours = findOurs(outlineJson(edited), edited)
    if (ours === null) break
    found++
    edited = cut(edited, ours, made)
  }
  const root = outlineJson(edited)
  if (found > 0 && root.parts.length === 0 && made.has('bare-root')) edited = empty(edited, root)
  return { text: edited, made, found, empty: root.parts.length === 0 }
}

/** Whether the text contains exactly these hooks. */
export function hasHooks(hookEntries: HookEntries, text: string): boolean {
  const events = new Map<string, string>(
    hookEntries().map(([event, entry]) => [event, withoutMark(entry)]),
  )
  const root = outlineJson(text)
  const hooks = memberOf(root, 'hooks')
  if (hooks === undefined || marks(text).length !== events.size) return false
  return [...events].every(([event, wanted]) =>
    memberOf(hooks, event)?.parts.some(
      ({ value }) => withoutMark(JSON.parse(sliceText(text, value)) as HookEntry) === wanted,
    ),
  )
}

function withoutMark(entry: HookEntry): string {
  return JSON.stringify(entry).replace(/: retake( [A-Za-z-]+)*;/, '')
}

/** The marks of all Retake commands in the text. */
export function marks(text: string): string[][] {
  const found: string[][] = []
  for (const { value: entry } of entriesOf(outlineJson(text)))
    for (const { value } of hooksOf(entry)) {
      const mark = markOf(text, value)
      if (mark !== null) found.push(mark)
    }
  return found
}

interface Ours {
  /** From the settings down to the container, and the part to cut from it. */
  readonly path: readonly { readonly container: JsonValue; readonly part: JsonPart }[]
}

function findOurs(root: JsonValue, text: string): Ours | null {
  for (const hooks of root.parts.filter(({ key }) => key === 'hooks'))
    for (const event of hooks.value.parts)
      for (const entry of event.value.parts) {
        const commands = hooksOf(entry.value)
        const ours = commands.find(({ value }) => markOf(text, value) !== null)
        if (ours === undefined) continue
        const path = [
          { container: root, part: hooks },
          { container: hooks.value, part: event },
          { container: event.value, part: entry },
        ]
        // An entry that also holds another command keeps that command.
        if (commands.length === 1) return { path }
        return { path: [...path, { container: memberOf(entry.value, 'hooks')!, part: ours }] }
      }
  return null
}

/** Cuts the part, and containers around it that became empty and were created by Retake. */
function cut(text: string, { path }: Ours, made: ReadonlySet<string>): string {
  let depth = path.length - 1
  while (depth > 0 && depth < 3) {
    const { container } = path[depth]!
    const name = path[depth - 1]!.part.key!
    // If the words are missing (a user removed them), an empty container is removed too.
    const isOurs = made.size === 0 || made.has(name) || made.has('hooks')
    if (container.parts.length > 1 || !isOurs) break
    depth--
  }
  const { container, part } = path[depth]!
  const index = container.parts.indexOf(part)
  const before = container.parts[index - 1]
  const after = container.parts[index + 1]
  const name = depth > 0 ? path[depth - 1]!.part.key : null
  if (before !== undefined) return spliceText(text, before.value.end, part.value.end)
  if (after !== undefined) return spliceText(text, part.start, after.start)
  if (name !== null && made.has(`bare-${name}`)) return empty(text, container)
  return spliceText(text, container.start + 1, part.value.end)
}

function entriesOf(root: JsonValue): JsonPart[] {
  return root.parts
    .filter(({ key }) => key === 'hooks')
    .flatMap(({ value }) => value.parts)
    .flatMap(({ value }) => value.parts)
}

function hooksOf(entry: JsonValue): JsonPart[] {
  return memberOf(entry, 'hooks')?.parts ?? []
}

function markOf(text: string, hook: JsonValue): string[] | null {
  const command = memberOf(hook, 'command')
  return command === undefined ? null : readMark(JSON.parse(sliceText(text, command)))
}

function bare(container: JsonValue, name: string): string[] {
  return container.end - container.start === 2 ? [`bare-${name}`] : []
}

function empty(text: string, container: JsonValue): string {
  return spliceText(text, container.start + 1, container.end - 1)
}
