import type { PlanView, VersionsView } from '#protocol'
import { bytes } from '../words.ts'

export type Version = VersionsView['yours']
export type Side = 'base' | 'yours' | 'theirs'

export interface Column {
  readonly side: Side
  readonly title: string
  readonly version: Version
}

/** The versions in order of time; without a common base there are only two. */
export function columnsOf(view: VersionsView, plan: PlanView): Column[] {
  const yours: Column = { side: 'yours', title: 'Yours, on disk now', version: view.yours }
  const theirs = (title: string): Column => ({ side: 'theirs', title, version: view.theirs })
  if (view.base === null) return [yours, theirs('What the plan writes')]
  const { base } = view
  const common = (title: string): Column => ({ side: 'base', title, version: base })
  const what = plan.verb === 'op-undo' ? 'the operation' : plan.turns > 1 ? 'the turns' : 'the turn'
  switch (view.way) {
    case 'back':
      return [theirs(`Before ${what}`), yours, common(`After ${what}`)]
    case 'forward':
      return [common(`Before ${what}`), yours, theirs(`After ${what}`)]
    case 'across':
      return [common('On this branch'), yours, theirs('On the other branch')]
  }
}

/** Why a version shows no lines; null if it does. */
export function whyNoText({ state, size, says }: Version): string | null {
  switch (state) {
    case 'file':
      return null
    case 'absent':
      return 'The file does not exist.'
    case 'symlink':
      return says === null ? 'A symbolic link.' : `A symbolic link to ${says}`
    case 'binary':
      return `Not text, ${bytes(size ?? 0)}.`
    case 'too-large':
      return `Too long to be shown here, ${bytes(size ?? 0)}.`
    case 'unknown':
      return says === null ? 'Not known, or no longer stored.' : `Not known: ${says}`
  }
}

/** How this version differs from the others apart from its lines. */
export function differences({ version }: Column, all: readonly Column[]): string[] {
  const differs = (key: keyof Version): boolean =>
    version[key] !== null &&
    all.some((other) => other.version[key] !== null && other.version[key] !== version[key])
  const said: string[] = []
  if (differs('mode')) said.push(`mode ${version.mode!.toString(8)}`)
  if (differs('lineEnds')) said.push(`line ends ${ENDS[version.lineEnds!]}`)
  if (differs('finalNewline') && version.finalNewline === false) said.push('no newline at the end')
  return said
}

const ENDS = { lf: 'LF', crlf: 'CR LF', mixed: 'LF and CR LF' }
