import { levelOf } from './pcm.ts'
import { makeVoiceActivity } from './voice-activity.ts'

/** Who decides what is sent: the voice itself, a key that is held, or nobody. */
export type Opening = 'hands-free' | 'held' | 'closed'

/** A quarter of a second before the voice is loud belongs to its first word. */
const BEFORE = 6

/** Lets speech through and keeps silence back. True while somebody is heard. */
export function gate(to: {
  send(pcm: Int16Array): void
  /** Nothing more comes for now: what was sent is all of it. */
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
