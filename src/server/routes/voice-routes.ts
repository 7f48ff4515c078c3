import { appendToVoiceLog, deleteVoiceLog, readVoiceLog } from '#engine'
import { voiceLogView, type VoiceLogView } from '#protocol'
import { bodies, type Definitions, type Served } from '../requests/index.ts'
import { describeVoice, makeVoiceToken } from './voice-token.ts'

/** Access to the speech service, and the voice log. */
export const voiceRoutes: Definitions<
  'voice' | 'makeVoiceToken' | 'voiceLog' | 'appendToVoiceLog' | 'deleteVoiceLog'
> = {
  voice: {
    says: 'Show whether speech is available, with which service, and if not, why',
    answers: ['voice'],
    handle: (_, served) => describeVoice(served),
  },
  makeVoiceToken: {
    says: 'Create a token that opens one conversation with the speech service',
    answers: ['voice-token'],
    handle: (_, served) => makeVoiceToken(served),
  },
  voiceLog: {
    says: 'Read the voice log of a session; undo does not change it',
    answers: ['voice-log'],
    handle: ({ params }, { machine }) => voiceLogView(readVoiceLog(machine, wanted(params))),
  },
  appendToVoiceLog: {
    says: 'Add a line to the voice log',
    answers: ['voice-log'],
    body: bodies.voiceLine,
    handle: ({ params, body }, served) =>
      announce(served, voiceLogView(appendToVoiceLog(served.machine, wanted(params), body))),
  },
  deleteVoiceLog: {
    says: 'Delete the voice log of a session for good',
    answers: ['voice-log'],
    handle: ({ params }, served) =>
      announce(served, voiceLogView(deleteVoiceLog(served.machine, wanted(params)))),
  },
}

function wanted({ session }: { session: string }) {
  return { session, project: null }
}

function announce({ feed }: Served, view: VoiceLogView): VoiceLogView {
  feed.publish({ event: 'voice.logged', session: view.session })
  return view
}
