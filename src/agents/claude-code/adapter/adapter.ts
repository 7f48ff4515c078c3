import type { Agent } from '../../agent.ts'
import { fileSteps } from '../../file-steps.ts'
import type { OpenSession } from '../../open-session.ts'
import type { SessionFile } from '../../session-file.ts'
import type { SessionSource } from '../../session-source.ts'
import { addedDirectories, addedSince, currentOptions } from '../session/index.ts'
import { wasContinued, planBranch, planUnbranch } from '../move/index.ts'
import type { ClaudeSession } from '../session/index.ts'
import { previewOfCall } from '../steps/index.ts'
import { DIRECTORY } from './environment.ts'
import { forgottenLines } from '../session/index.ts'
import {
  blockPrompt,
  hasPlugin,
  hooksBlock,
  hooksInstalled,
  hookSources,
  planInstall,
  planUninstall,
} from '../hooks/index.ts'
import { emptyConversation, planMove, planMoveToPrompt } from '../move/index.ts'
import { NAME } from '../steps/index.ts'
import { openProofs } from '../trial/index.ts'
import { findLiveProcesses } from '../session/index.ts'
import { turnOfMessage } from '../session/index.ts'
import { findRunningTurn, hasRunningAgents, isAnswered } from '../session/index.ts'
import { READY, runRequirements } from '../run/index.ts'
import { restartArguments, startRun } from '../run/index.ts'
import { belongingsOf, pathInSession } from '../session/index.ts'
import {
  findSessionFile,
  listSessionFiles,
  listSessionFilesBelow,
  relatedWorktrees,
  type ClaudeFile,
} from '../session/index.ts'
import { indexFormat, openSessionIndex } from '../session/index.ts'
import { givenTitle } from '../session/index.ts'
import { planTitle } from '../move/index.ts'
import { openSession } from '../session/index.ts'
import { sampleAt } from '../../grown-file.ts'
import { factsOf } from '../chain/index.ts'
import { canBeEmptied, isMeasured, versionOf } from '../move/index.ts'
import { watchSessions } from '../session/index.ts'
import { words } from './words.ts'

export function claudeCode(config: string): Agent {
  return {
    name: NAME,
    words,
    directories: [{ name: 'claudeConfig', path: config, variable: DIRECTORY }],
    sessions: sessionsIn(config),
    live: () => findLiveProcesses(config),
    steps: fileSteps,
    overwritesMoves: true,
    capture: {
      planInstall: (disk, project, scope) => planInstall(disk, { config, project }, scope),
      planUninstall: (disk, project, scope) => planUninstall(disk, { config, project }, scope),
      sources: (project) => hookSources(config, project),
      installed: (project) => hooksInstalled(config, project),
      blockedBy: (project) => hooksBlock(config, project),
      hasPlugin: (project, scope) => hasPlugin({ config, project }, scope),
      blockPrompt,
      leavesAfterHook: false,
    },
    runner: {
      start: startRun,
      preview: previewOfCall,
      namesSessions: false,
      supervise: {
        restart: restartArguments,
        currentOptions: (session, since) => currentOptions(config, session, since),
      },
      ready: READY,
      missing: runRequirements,
    },
    versions: { isMeasured, openProofs },
  }
}

function sessionsIn(config: string): SessionSource {
  return {
    list: (directories) => listSessionFiles(config, directories),
    listBelow: (directory) => listSessionFilesBelow(config, directory),
    find: (id) => findSessionFile(config, id),
    related: relatedWorktrees,
    canBeginWith: (text) => /^[0-9a-f-]{1,36}$/.test(text),
    idFrom: (uuid) => uuid,
    rescuedId: (_, uuid) => uuid,
    belongings: (file) => belongingsOf(config, ownFile(file)),
    hasElsewhere: () => false,
    pathInSession,
    watch: () => watchSessions(config),
    addedSince: (session, from) => addedSince(config, session, from),
    cacheName: 'sessions.db',
    indexFormat,
    openIndex(cache) {
      const index = openSessionIndex(cache)
      return {
        summaries: (files) => index.summaries(files.map(ownFile)),
        open: (file, options) => toPort(config, openSession(config, ownFile(file), index, options)),
      }
    },
  }
}

/** Only files that this adapter returned are passed back to it. */
const ownFile = (file: SessionFile): ClaudeFile => file as ClaudeFile

/** Maps a session of the interface to Claude Code's own. */
const sessions = new WeakMap<OpenSession['conversation'], ClaudeSession>()

function toPort(config: string, session: ClaudeSession): OpenSession {
  const { file, transcript, conversation, summary } = session
  sessions.set(conversation, session)
  const find = session.entryOf
  return {
    agent: NAME,
    file,
    summary,
    conversation,
    damage: transcript.damage,
    identity: transcript.identity,
    reading: { end: transcript.end, sample: transcript.sample },
    continues: ({ end, sample }) => sampleAt(file.path, end) === sample,
    get version() {
      return versionOf(session)
    },
    get title() {
      return givenTitle(file, transcript)
    },
    get isCompacted() {
      return transcript.rows.some(({ boundary }) => boundary !== null)
    },
    readTurn: (id) => session.readTurn(id),
    readImages: (id) => session.readImages(id),
    readModel: (id) => session.readModel(id),
    versionOf: (id) => session.versionOf(id),
    factsOf: (id) => factsOf(find(id)),
    gitBranchOf: (id) => find(id).rows[0]!.prompt?.gitBranch ?? null,
    hasCalls: (id) => find(id).rows.some(({ call }) => call !== null),
    placesOf: (id) => [...find(id).rows, ...find(id).asides].map(({ place }) => place),
    addedDirectories: (by = Number.POSITIVE_INFINITY) => addedDirectories(session, by),
    turnOfMessage: (named) => turnOfMessage(session, named),
    findRunningTurn: (call) => findRunningTurn(session, call),
    isAnswered: () => isAnswered(session),
    hasRunningAgents: (when) => hasRunningAgents(session, when),
    forgottenLines: (turns) => forgottenLines(session, turns),
    moves: {
      notInPlace: null,
      planMove: (target, facts) => planMove(session, target, facts),
      planMoveToPrompt: (turn, facts) => planMoveToPrompt(session, turn, facts),
      planEmpty: () => (canBeEmptied(session) ? emptyConversation(session) : null),
      planBranch: (wish) => planBranch(config, session, wish),
      planUnbranch: (tag) => planUnbranch(config, session, tag),
      wasContinued: (parent) => wasContinued(session, sessions.get(parent.conversation)!),
      planTitle: (title) => planTitle(session, title),
    },
  }
}
