import { Failure } from '#failure'
const UNITS: [number, string][] = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [7, 'd'],
  [Infinity, 'w'],
]

/** A short age such as `3 min`; empty if the time cannot be parsed. */
export function ageOf(at: string | null, now: number): string {
  let left = at === null ? Number.NaN : (now - Date.parse(at)) / 1000
  if (Number.isNaN(left)) return ''
  if (left < 1) return 'now'
  for (const [size, unit] of UNITS) {
    if (left < size) return `${Math.floor(left)} ${unit}`
    left /= size
  }
  return ''
}

/**
 * The time of day, with the date unless it is today. Formatted by hand: the first use of Intl takes
 * a third of a command's start time.
 */
export function timeOf(at: string | null, now: number): string {
  const time = new Date(at ?? '')
  if (Number.isNaN(time.getTime())) return ''
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  const today = new Date(now).toDateString() === time.toDateString()
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return today ? clock : `${day} ${clock}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const SPANS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** Parses a time: `2h`, `3d`, `today`, `yesterday`, or a date with or without a time of day. */
export function readTime(text: string, now: number): number {
  const ago = /^(\d{1,6}) ?(m|h|d|w)[a-z]*(?: ago)?$/i.exec(text.trim())
  if (ago !== null) return now - Number(ago[1]) * SPANS[ago[2]!.toLowerCase()]!
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (text === 'today') return midnight
  if (text === 'yesterday') return new Date(midnight).setDate(new Date(midnight).getDate() - 1)
  // `Date.parse` reads a date alone as UTC; users mean local time.
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text)
  if (!Number.isNaN(at)) return at
  throw new Failure('usage', `${text} is not a time.`, {
    hint: 'Write 30m, 2h, 3d, today, yesterday, or a date such as 2026-11-15.',
  })
}
