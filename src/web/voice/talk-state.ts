import { create } from 'zustand'

/** The visible state of a voice conversation. */
export interface TalkState {
  readonly state: 'off' | 'connecting' | 'on' | 'reconnecting'
  /** Why it ended or could not start. */
  readonly why: string | null
  readonly muted: boolean
  /** A key is held down to speak. */
  readonly held: boolean
  /** Loudness, from 0 to 1. */
  readonly level: number
  readonly hearing: boolean
  readonly speaking: boolean
  /** What was heard so far and is not in the log yet. */
  readonly heard: string
  readonly devices: readonly { readonly id: string; readonly label: string }[]
}

export const silent: TalkState = {
  state: 'off',
  why: null,
  muted: false,
  held: false,
  level: 0,
  hearing: false,
  speaking: false,
  heard: '',
  devices: [],
}

export const useTalk = create<TalkState>(() => silent)
