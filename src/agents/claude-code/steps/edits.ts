import { isAbsolute, resolve } from 'node:path'
import type { Approval, Piece, Recorded, RecordedEdit } from '#timeline'
import { field, string } from '../rows/index.ts'
import { isSeen } from './seen-tools.ts'
import { kindOfTool } from './tool-kinds.ts'

export function isEditing(tool: string): boolean {
  return kindOfTool(tool) === 'edit'
}

/** Tools that start a subagent, which has its own file. */
export function isDelegating(tool: string): boolean {
  return kindOfTool(tool) === 'agent'
}

/** A description of a call that may have changed files unrecorded; null if it cannot. */
export function unknownEffectOf(tool: string, input: unknown): string | null {
  if (isSeen(tool)) return null
  const command = string(field(input, 'command'))
  return tool === 'Bash' && command !== null ? command : tool
}

/** What a call that waits for approval would run or write, as shown to the user. */
export function askedBy(tool: string, input: unknown): Pick<Approval, 'command' | 'pieces'> {
  const command = string(field(input, 'command'))
  if (kindOfTool(tool) === 'shell') return command === null ? {} : { command }
  if (!isEditing(tool)) return {}
  const whole = string(field(input, 'content')) ?? string(field(input, 'new_source'))
  if (whole !== null) return { pieces: [{ old: null, new: whole }] }
  return { pieces: piecesOf(input).map(({ old, new: fresh }) => ({ old, new: fresh })) }
}

export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  /** The row's `toolUseResult`; subagents of headless runs have none. */
  readonly result: unknown
  /** The tool's output to the model. */
  readonly said: string
  readonly at: string | null
  readonly by: 'agent' | 'subagent'
  /** The directory that relative paths start from. */
  readonly cwd: string | null
}

/** What an editing call did: from the recorded texts if possible, else from the call itself. */
export function editsOfCall(call: Call): RecordedEdit[] {
  const { tool, input, result } = call
  if (tool === 'NotebookEdit') return notebookEdit(call)
  const path = string(field(result, 'filePath')) ?? string(field(input, 'file_path'))
  if (path === null) return []
  const pieces = piecesOf(input)
  const original = field(result, 'originalFile')
  const before = beforeOf(call, original)
  const after =
    tool === 'Write'
      ? textOrUnknown(field(result, 'content') ?? field(input, 'content'), 'not recorded')
      : applyPieces(before, pieces)
  return [edit(call, path, before, after, tool === 'Write' ? [] : pieces)]
}

/** The present text of a file; null if there is no file, undefined if it cannot be shown. */
export type ReadPresent = (path: string) => string | null | undefined

/** What a pending editing call would make of its file; null if unknown. */
export function previewOfCall(
  { id, tool, input }: Pick<Call, 'id' | 'tool' | 'input'>,
  cwd: string,
  read: ReadPresent,
): { before: string; after: string } | null {
  const path = string(field(input, 'file_path'))
  if (!isEditing(tool) || path === null) return null
  const present = read(resolve(cwd, path))
  if (present === undefined) return null
  const result = present === null ? { type: 'create' } : { originalFile: present }
  const call = { id, tool, input, result, said: '', at: null, by: 'agent', cwd } as const
  const after = editsOfCall(call)[0]?.after
  return after?.kind === 'text' ? { before: present ?? '', after: after.text } : null
}

function beforeOf({ tool, result, said }: Call, original: unknown): Recorded {
  if (typeof original === 'string') return { kind: 'text', text: original }
  const created =
    field(result, 'type') === 'create' ||
    (result === undefined && tool === 'Write' && said.startsWith('File created'))
  if (created) return { kind: 'absent' }
  return { kind: 'unknown', why: 'the old text was not recorded' }
}

function piecesOf(input: unknown): Piece[] {
  const edits = field(input, 'edits')
  const list = Array.isArray(edits) ? edits : [input]
  return list.flatMap((each) => {
    const old = string(field(each, 'old_string'))
    const fresh = string(field(each, 'new_string'))
    if (old === null || fresh === null) return []
    return [{ old, new: fresh, all: field(each, 'replace_all') === true }]
  })
}

/**
 * Applies an edit to the recorded text. If the old string is missing there, another text was
 * edited.
 */
function applyPieces(before: Recorded, pieces: readonly Piece[]): Recorded {
  if (before.kind !== 'text') return { kind: 'unknown', why: 'the new text was not recorded' }
  let { text } = before
  for (const { old, new: fresh, all } of pieces) {
    if (old === '' ? text !== '' : !text.includes(old))
      return { kind: 'unknown', why: 'the recorded edit does not fit the recorded text' }
    // A replacement function, so that `$&` in the new text stays literal.
    text = all ? text.replaceAll(old, () => fresh) : text.replace(old, () => fresh)
  }
  return { kind: 'text', text }
}

function notebookEdit(call: Call): RecordedEdit[] {
  const { input, result } = call
  const path = string(field(result, 'notebook_path')) ?? string(field(input, 'notebook_path'))
  if (path === null || string(field(result, 'error'))) return []
  const why = 'the notebook was not recorded'
  const before = textOrUnknown(field(result, 'original_file'), why)
  return [edit(call, path, before, textOrUnknown(field(result, 'updated_file'), why), [])]
}

function textOrUnknown(value: unknown, why: string): Recorded {
  return typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'unknown', why }
}

function edit(
  { id, by, at, cwd }: Call,
  path: string,
  before: Recorded,
  after: Recorded,
  pieces: readonly Piece[],
): RecordedEdit {
  // The agent opens this spelling of the path, and names its checkpoints by it.
  const whole = cwd === null && !isAbsolute(path) ? path : resolve(cwd ?? '/', path)
  return { step: id, path: whole, before, after, pieces, by, at }
}
