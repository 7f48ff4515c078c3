import { resolve } from 'node:path'
import type { Piece, Recorded, RecordedEdit } from '#timeline'
import { field, string } from '../rows/index.ts'
import { commandOf, type Call } from './call.ts'
import type { Made } from './file-changes.ts'

/** The patch that a call applies; null if it applies none. */
export function patchOf(call: Call): string | null {
  const { tool, input } = call
  const text =
    tool === 'apply_patch'
      ? (string(input) ?? string(field(input, 'input')) ?? string(field(input, 'patch')))
      : commandOf(call)
  if (text === null) return null
  // The agent takes a command for a patch only if it does nothing else.
  if (tool !== 'apply_patch' && !/^(cd \S+ && )?apply_patch\b/.test(text.trimStart())) return null
  const from = text.indexOf('*** Begin Patch\n')
  const to = text.indexOf('\n*** End Patch', from)
  return from < 0 || to < 0 ? null : text.slice(from + '*** Begin Patch\n'.length, to + 1)
}

const OLD: Recorded = { kind: 'unknown', why: 'the old text was not recorded' }
const NEW: Recorded = { kind: 'unknown', why: 'the new text was not recorded' }
const ABSENT: Recorded = { kind: 'absent' }

/** The edits of a patch that was applied. Versions before 0.148 record nothing else of it. */
export function editsOfPatch(patch: string, { step, at, by, cwd }: Made): RecordedEdit[] {
  const edits: RecordedEdit[] = []
  const add = (path: string, more: Partial<RecordedEdit>): void => {
    const whole = resolve(cwd ?? '/', path.trim())
    edits.push({ step, path: whole, before: OLD, after: NEW, pieces: [], by, at, ...more })
  }
  for (const part of patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m)) {
    const [head, ...lines] = part.split('\n')
    const [, kind, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(head!) ?? []
    if (kind === undefined || path === undefined) continue
    if (kind === 'Delete') add(path, { after: ABSENT })
    if (kind === 'Add') {
      const text = lines.flatMap((line) => (line.startsWith('+') ? [`${line.slice(1)}\n`] : []))
      const bytes = new TextEncoder().encode(text.join(''))
      add(path, { before: ABSENT, after: { kind: 'bytes', bytes }, mayReplace: true })
    }
    if (kind !== 'Update') continue
    const to = /^\*\*\* Move to: (.+)$/.exec(lines[0] ?? '')?.[1]
    const pieces = piecesOf(to === undefined ? lines : lines.slice(1))
    if (to === undefined) add(path, { pieces })
    else {
      add(path, { after: ABSENT })
      add(to, { pieces, movedFrom: edits.at(-1)!.path })
    }
  }
  return edits
}

/** The chunks of an update. They have no line numbers, so each must occur once to be found. */
function piecesOf(lines: readonly string[]): Piece[] {
  const chunks: string[][] = [[]]
  for (const line of lines) {
    if (line.startsWith('@@')) chunks.push([])
    else if (line !== '' && !line.startsWith('***')) chunks.at(-1)!.push(line)
    // Some models leave out the space of an empty line.
    else if (line === '') chunks.at(-1)!.push(' ')
  }
  return chunks.flatMap((chunk) => {
    const body = chunk.at(-1) === ' ' ? chunk.slice(0, -1) : chunk
    if (!body.some((line) => line.startsWith('+') || line.startsWith('-'))) return []
    const side = (sign: string): string =>
      body.flatMap((line) => (line[0] === ' ' || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join('') // prettier-ignore
    return [{ old: side('-'), new: side('+'), all: false }]
  })
}
