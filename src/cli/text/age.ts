const UNITS: [number, string][] = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [7, 'd'],
  [Infinity, 'w'],
]

/** How long ago, short: `3 min`. A time that cannot be read says nothing. */
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
 * The time of day, with the day when it is not today's. Put together by hand: the first text that
 * is made in the way of a language costs as much as a third of a command's start.
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
