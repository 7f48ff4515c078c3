/** Why a name cannot be given to a branch or a turn; null when it can. */
export type BadName = 'empty' | 'too-long' | 'unprintable' | 'number' | 'like-an-id' | 'sign'

const LONGEST = 80

/**
 * A name stands wherever an id or a number can, so it must not be taken for one: `3` is a turn,
 * `cafe` may begin an id, `main:3` is a turn of a branch, `a..b` is a range.
 */
export function checkName(name: string): BadName | null {
  if (name.trim() === '') return 'empty'
  if (name !== name.trim() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return 'unprintable'
  if (name.length > LONGEST) return 'too-long'
  if (/^\d+$/.test(name)) return 'number'
  if (/^[0-9a-f][0-9a-f@-]{3,}$/i.test(name)) return 'like-an-id'
  return name.startsWith('-') || /:|\.\./.test(name) ? 'sign' : null
}
