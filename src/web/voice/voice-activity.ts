/**
 * Detects speech by its loudness. Silence is not sent: it would cost the user money, and transmit
 * what is said in the room.
 */
export type Activity = 'silence' | 'begins' | 'speaks' | 'ends'

/** Quieter than this is never speech. */
const MIN_LEVEL = 0.012
/** Speech is this many times louder than the background. */
const ABOVE = 3
/** Pieces in a row: BEGIN loud ones are not a click, END quiet ones are not a breath. */
const BEGIN = 2
const END = 20

/** Called with the level of each piece of a twenty-fifth of a second. */
export function makeVoiceActivity(): (level: number) => Activity {
  let floor = MIN_LEVEL
  let loud = 0
  let quiet = 0
  let speaking = false
  return (level) => {
    const isLoud = level > Math.max(MIN_LEVEL, floor * ABOVE)
    // The floor falls at once and rises slowly, slower still during speech: a long sentence must
    // not become the floor, but a fan that was switched on must within a minute.
    floor = level < floor ? level : floor + (level - floor) * (speaking ? 0.0005 : 0.005)
    loud = isLoud ? loud + 1 : 0
    quiet = isLoud ? 0 : quiet + 1
    if (!speaking) {
      if (loud < BEGIN) return 'silence'
      speaking = true
      return 'begins'
    }
    if (quiet < END) return 'speaks'
    speaking = false
    return 'ends'
  }
}
