import { readBranchRecord } from './branch-record.ts'
import { digestOf } from '../chain/index.ts'
import type { ClaudeFile } from './session-files.ts'
import { givenTitle } from './given-title.ts'
import { slugOf } from '../steps/index.ts'
import type { Transcript } from '../rows/index.ts'
import { buildConversation } from '../chain/index.ts'
import type { BranchRecord, SessionSummary } from '../../session-file.ts'

const MAX_TITLE = 200

export function summarize(
  file: ClaudeFile,
  transcript: Transcript,
  conversation = buildConversation(transcript),
): SessionSummary {
  const { latest, directories, turns, messages, branches, forkedFrom } = digestOf(
    transcript,
    conversation,
  )
  const firstPrompt =
    conversation.turns.find(({ turn }) => turn.kind !== 'orphan')?.turn.prompt ?? ''
  const branch = readBranchRecord(file.path)
  return {
    agent: file.agent,
    id: file.id,
    path: file.path,
    ...titlesOf(file, transcript, firstPrompt),
    project: projectOf(file, directories),
    updatedAt: later(latest ?? modifiedAt(file), branch),
    bornAt: file.bornAt.toISOString(),
    branch,
    firstPrompt: oneLine(firstPrompt),
    counted: {
      turns,
      messages,
      branches,
      forkedFrom,
      head: conversation.head,
      turnIds: conversation.turns.map(({ turn }) => turn.id),
      damaged: transcript.damage.length,
    },
  }
}

/** The user's title, else the agent's, else the first prompt. */
export function titlesOf(
  file: ClaudeFile,
  { titles }: Pick<Transcript, 'titles'>,
  prompt: string,
): Pick<SessionSummary, 'title' | 'givenTitle'> {
  const given = givenTitle(file, { titles })
  const title =
    given ??
    titles.findLast(({ kind }) => kind === 'generated')?.text ??
    titles.findLast(({ kind }) => kind === 'summary')?.text ??
    prompt
  return { title: oneLine(title), givenTitle: given }
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE)
}

/** A branch is as new as its creation, although its rows are older. */
function later(updatedAt: string, branch: BranchRecord | null): string {
  return branch !== null && branch.rewoundAt > updatedAt ? branch.rewoundAt : updatedAt
}

/** The working directory that the session's directory is named after, else the first one seen. */
export function projectOf(file: ClaudeFile, cwds: readonly (string | null)[]): string | null {
  return (
    cwds.find((cwd) => cwd !== null && slugOf(cwd) === file.slug) ??
    cwds.find((cwd) => cwd !== null) ??
    null
  )
}

export function modifiedAt(file: ClaudeFile): string {
  return new Date(Number(file.identity.modified / 1_000_000n)).toISOString()
}
