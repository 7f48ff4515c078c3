/** Why a branch or a turn cannot have a name. */
export type BadName = 'empty' | 'too-long' | 'unprintable' | 'number' | 'like-an-id' | 'sign'

const MAX_LENGTH = 80

/**
 * Returns null if the name is allowed. Users can type a name instead of an id or number, so it must
 * not look like one: `3` is a turn, `cafe` may begin an id, `main:3` is a turn of a branch, `a..b`
 * is a range.
 */
export function checkName(name: string): BadName | null {
  if (name.trim() === '') return 'empty'
  if (name !== name.trim() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return 'unprintable'
  if (name.length > MAX_LENGTH) return 'too-long'
  if (/^\d+$/.test(name)) return 'number'
  if (/^[0-9a-f][0-9a-f@-]{3,}$/i.test(name)) return 'like-an-id'
  return name.startsWith('-') || /:|\.\./.test(name) ? 'sign' : null
}
