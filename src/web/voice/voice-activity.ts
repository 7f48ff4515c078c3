/**
 * Whether somebody speaks, from how loud it is. Silence is sent nowhere: it would cost the user
 * money, and carry what is said in the room.
 */
export type Activity = 'silence' | 'begins' | 'speaks' | 'ends'

/** Quieter than this is never speech. */
const LEAST = 0.012
/** Speech stands out so much above what is heard all the time. */
const ABOVE = 3
/** So many loud pieces in a row are no click; so many quiet ones are the end, and not a breath. */
const BEGIN = 2
const END = 20

/** One piece is a twenty-fifth of a second. */
export function makeVoiceActivity(): (level: number) => Activity {
  let floor = LEAST
  let loud = 0
  let quiet = 0
  let speaking = false
  return (level) => {
    const isLoud = level > Math.max(LEAST, floor * ABOVE)
    // It follows down at once and up slowly, and slower still under speech: a long sentence must not
    // become the floor, but a fan that was switched on must within a minute.
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
