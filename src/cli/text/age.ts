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

/** The time of day, with the day when it is not today's. */
export function timeOf(at: string | null, now: number): string {
  const time = new Date(at ?? '')
  if (Number.isNaN(time.getTime())) return ''
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const today = new Date(now).toDateString() === time.toDateString()
  return today ? clock : `${time.toLocaleDateString('en-CA')} ${clock}`
}
