import { nameBytes, nameText } from '#disk'
import type { ContentId, ProjectPath, Value } from '#timeline'
import { command, Failure, remedy } from '#failure'

/** Encodes a value for the store. JSON escapes lone surrogates, which SQLite's text would lose. */
export function valueText(value: Value): string {
  // Field by field: extra fields of a caller must not become part of the format.
  switch (value.kind) {
    case 'file':
      return JSON.stringify({ kind: value.kind, content: value.content, mode: value.mode })
    case 'symlink':
      return JSON.stringify({ kind: value.kind, target: value.target })
    case 'unknown':
      return JSON.stringify({ kind: value.kind, why: value.why })
    case 'absent':
      return JSON.stringify({ kind: value.kind })
    default:
      return value satisfies never
  }
}

/**
 * Decodes a value from the store. A damaged one is an error: read as absent, it would make undo
 * delete the file.
 */
export function readValueText(text: unknown): Value {
  const value: unknown = typeof text === 'string' ? parse(text) : undefined
  if (!isValue(value))
    throw new Failure('store-damaged', 'A value in the store cannot be read.', {
      hint: remedy`${command('check')}.`,
    })
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isValue(value: unknown): value is Value {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const fields = value as Record<string, unknown>
  switch (fields['kind']) {
    case 'absent':
      return true
    case 'file':
      return isContentId(fields['content']) && Number.isInteger(fields['mode'])
    case 'symlink':
      return typeof fields['target'] === 'string'
    case 'unknown':
      return typeof fields['why'] === 'string'
    default:
      return false
  }
}

export function isContentId(id: unknown): id is ContentId {
  return typeof id === 'string' && /^[0-9a-f]{40}$/u.test(id)
}

export function pathBytes(path: ProjectPath): Buffer {
  return nameBytes(path)
}

export function readPathBytes(bytes: unknown): ProjectPath {
  return nameText(Buffer.from(bytes as Uint8Array)) as ProjectPath
}
