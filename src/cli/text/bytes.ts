const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A size for people: `41 MB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1]
  const digits = unit === 0 || value >= 9.95 ? 0 : 1
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${UNITS[unit]}`
}
