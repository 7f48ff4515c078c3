import type { SkimmedValue } from './skim-value.ts'

/** The fields worth decoding. Most of a row is not. */
export interface Fields {
  type: SkimmedValue | undefined
  uuid: SkimmedValue | undefined
  parentUuid: SkimmedValue | undefined
  isSidechain: SkimmedValue | undefined
  timestamp: SkimmedValue | undefined
  message: SkimmedValue | undefined
  attachment: SkimmedValue | undefined
}

/** The front of `message`, of its first content block, and of `attachment`. */
export interface Skimmed {
  readonly fields: Fields
  messageId: string | null
  firstBlock: string | null
  call: string | null
  attachmentType: string | null
}

export function emptySkimmed(): Skimmed {
  const none = undefined
  const fields: Fields = {
    type: none,
    uuid: none,
    parentUuid: none,
    isSidechain: none,
    timestamp: none,
    message: none,
    attachment: none,
  }
  return { fields, messageId: null, firstBlock: null, call: null, attachmentType: null }
}

const EMPTY: Readonly<Skimmed> = emptySkimmed()

export function clear(row: Skimmed): void {
  copy(EMPTY, row)
}

export function copyOf(row: Readonly<Skimmed>): Skimmed {
  return { ...row, fields: { ...row.fields } }
}

export function copy(from: Readonly<Skimmed>, to: Skimmed): void {
  copyFields(from.fields, EVERY, to.fields)
  to.messageId = from.messageId
  to.firstBlock = from.firstBlock
  to.call = from.call
  to.attachmentType = from.attachmentType
}

/** Sets of fields are bit masks. */
export const BITS: Readonly<Record<keyof Fields, number>> = {
  type: 1,
  uuid: 2,
  parentUuid: 4,
  isSidechain: 8,
  timestamp: 16,
  message: 32,
  attachment: 64,
}
const EVERY = 127

export function copyFields(from: Readonly<Fields>, bits: number, to: Fields): void {
  if (bits & BITS.type) to.type = from.type
  if (bits & BITS.uuid) to.uuid = from.uuid
  if (bits & BITS.parentUuid) to.parentUuid = from.parentUuid
  if (bits & BITS.isSidechain) to.isSidechain = from.isSidechain
  if (bits & BITS.timestamp) to.timestamp = from.timestamp
  if (bits & BITS.message) to.message = from.message
  if (bits & BITS.attachment) to.attachment = from.attachment
}

export function setField(fields: Fields, key: keyof Fields, value: SkimmedValue): void {
  // Assigning a property by a dynamic name is several times slower.
  switch (key) {
    case 'type':
      fields.type = value
      break
    case 'uuid':
      fields.uuid = value
      break
    case 'parentUuid':
      fields.parentUuid = value
      break
    case 'isSidechain':
      fields.isSidechain = value
      break
    case 'timestamp':
      fields.timestamp = value
      break
    case 'message':
      fields.message = value
      break
    case 'attachment':
      fields.attachment = value
      break
  }
}

/** Whether the fields are known that place a row in the tree: its id, parent, time and content. */
export function isEnough({ fields }: Readonly<Skimmed>): boolean {
  const { type, uuid, parentUuid, timestamp, message, attachment } = fields
  const hasHead = uuid !== undefined && parentUuid !== undefined && timestamp !== undefined
  if (!hasHead || type === undefined) return false
  return type === 'attachment' ? attachment !== undefined : message !== undefined
}
