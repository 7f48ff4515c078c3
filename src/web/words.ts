/** Formats numbers, times and names for users. */

// Made once: making one costs more than all texts of a turn.
const NUMBER = new Intl.NumberFormat('en')
const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const DATE = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' })

export function count(n: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(n)} ${n === 1 ? one : many}`
}

export function ago(iso: string | null, now = Date.now()): string {
  if (iso === null) return ''
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  if (seconds < 30 * 86_400) return `${Math.floor(seconds / 86_400)}d`
  return DATE.format(new Date(iso))
}

export function clock(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  const time = TIME.format(date)
  const sameDay = date.toDateString() === new Date().toDateString()
  const day = DAY.format(date)
  return sameDay ? time : `${day}, ${time}`
}

/** The first line of a prompt, short enough for a title. */
export function brief(text: string, most = 60): string {
  const line = text.trim().split('\n', 1)[0]!.trim()
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}

export function directoryName(path: string | null): string {
  if (path === null) return 'No project'
  return path.split('/').findLast((part) => part !== '') ?? '/'
}

/** A path in two parts, so that its end stays visible if space is short. */
export function splitPath(path: string): { directory: string; name: string } {
  const at = path.lastIndexOf('/') + 1
  return { directory: path.slice(0, at), name: path.slice(at) }
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  if (n < 1e6) return `${Math.round(n / 1e3)} kB`
  if (n < 1e9) return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB`
  return `${(n / 1e9).toFixed(1)} GB`
}
