import { levelOf } from './pcm.ts'
import { makeVoiceActivity } from './voice-activity.ts'

/** What opens the gate: the voice itself, a held key, or nothing. */
export type Opening = 'hands-free' | 'held' | 'closed'

/** Pieces, a quarter of a second: what precedes loud speech belongs to its first word. */
const BEFORE = 6

/** Passes speech on and drops silence. True while someone is heard. */
export function gate(to: {
  send(pcm: Int16Array): void
  /** The speech has ended: everything was sent. */
  end(): void
}): (pcm: Int16Array, opening: Opening) => boolean {
  let hear = makeVoiceActivity()
  let before: Int16Array[] = []
  let open = false
  const close = (): void => {
    if (open) to.end()
    open = false
  }
  return (pcm, opening) => {
    if (opening === 'held') {
      open = true
      to.send(pcm)
      return true
    }
    if (opening === 'closed') {
      close()
      hear = makeVoiceActivity()
      before = []
      return false
    }
    const activity = hear(levelOf(pcm))
    if (activity === 'silence') {
      before = [...before.slice(1 - BEFORE), pcm]
      if (open) close()
      return false
    }
    if (!open) for (const each of before.splice(0)) to.send(each)
    open = true
    to.send(pcm)
    if (activity === 'ends') close()
    return activity !== 'ends'
  }
}
