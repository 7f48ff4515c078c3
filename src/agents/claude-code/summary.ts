import type { TurnId } from '#timeline'
import { readBranchRecord, type BranchRecord } from './branch-record.ts'
import { digestOf } from './digest.ts'
import type { SessionFile } from './session-files.ts'
import { givenTitle } from './session-title.ts'
import { slugOf } from './places.ts'
import type { Transcript } from './transcript.ts'
import { buildConversation } from './turns.ts'

/** What a list of sessions says about one. */
export interface SessionSummary {
  readonly id: string
  readonly path: string
  readonly title: string
  /** Null where nobody gave it one, or the row that says so was not looked at. */
  readonly givenTitle: string | null
  readonly project: string | null
  readonly updatedAt: string
  readonly bornAt: string
  /** Where a branch session comes from, if Retake made it. */
  readonly branch: BranchRecord | null
  /** The first prompt, whatever the session is called. */
  readonly firstPrompt: string
  /** Null while only the ends of the file have been looked at. */
  readonly counted: {
    readonly turns: number
    /** Prompts and answers on the way to the head. */
    readonly messages: number
    readonly branches: number
    readonly head: TurnId | null
    /** Ids along the file, to see which sessions were forked from which. */
    readonly turnIds: readonly TurnId[]
    readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
    readonly damaged: number
  } | null
}

const LONGEST_TITLE = 200

export function summarize(
  file: SessionFile,
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

/** The name a person gave, then the agent's, then the first prompt. */
export function titlesOf(
  file: SessionFile,
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
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_TITLE)
}

/** A branch is new when it is made, although everything in it was said before. */
function later(updatedAt: string, branch: BranchRecord | null): string {
  return branch !== null && branch.rewoundAt > updatedAt ? branch.rewoundAt : updatedAt
}

/** The working directory that gave the session's directory its name, else the first one seen. */
export function projectOf(file: SessionFile, cwds: readonly (string | null)[]): string | null {
  return (
    cwds.find((cwd) => cwd !== null && slugOf(cwd) === file.slug) ??
    cwds.find((cwd) => cwd !== null) ??
    null
  )
}

export function modifiedAt(file: SessionFile): string {
  return new Date(Number(file.identity.modified / 1_000_000n)).toISOString()
}
