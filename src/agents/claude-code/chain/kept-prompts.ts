import type { Row } from '../rows/index.ts'

/**
 * A prompt that Retake kept while its answer was undone. When the agent continues, it adds an
 * answer of its own ("No response requested."), and then the next prompt. That is no continuation
 * of the turn: the turn's answer, and its file changes, are on another branch. So such a prompt is
 * read as part of what follows it.
 */
export interface KeptPrompts {
  /** Rows below the prompt, next to its answer, that are not messages and belong to no turn. */
  readonly beside: ReadonlySet<Row>
  /** The kept prompt that a row at this place would continue; null for any other row. */
  promptAt(row: Row, place: number): Row | null
}

/** Groups are turns, each starting with its prompt. */
export function findKeptPrompts(
  groups: readonly (readonly Row[])[],
  parent: ReadonlyMap<Row, Row | null>,
): KeptPrompts {
  const beside = new Set<Row>()
  const kept = new Map<Row, { prompt: Row; since: number }>()
  for (const group of groups) {
    const mark = findMark(group, parent)
    if (mark === null) continue
    const { bare, since } = mark
    const note = (row: Row): void => void kept.set(row, { prompt: group[0]!, since })
    for (const row of bare) note(row)
    for (const row of group.toSorted((a, b) => a.place - b.place)) {
      const above = parent.get(row) ?? null
      const isBeside = above !== null && (bare.has(above) || beside.has(above))
      if (row.place < since || !isBeside || row.type === 'user') continue
      beside.add(row)
      note(row)
    }
  }
  return {
    beside,
    promptAt(row, place) {
      const found = kept.get(row)
      return found !== undefined && place > found.since ? found.prompt : null
    },
  }
}

/**
 * Finds Retake's mark on a prompt that has an answer: the rows from the prompt to the answer, and
 * the place of the mark. Only Retake adds a note there.
 */
function findMark(
  group: readonly Row[],
  parent: ReadonlyMap<Row, Row | null>,
): { bare: ReadonlySet<Row>; since: number } | null {
  const notes = group.filter(({ subtype }) => subtype === 'informational')
  if (notes.length === 0 || group[0]!.prompt === null) return null
  const answers = group.filter(({ type, skipped }) => type === 'assistant' && !skipped)
  const first = answers.toSorted((a, b) => a.place - b.place)[0]
  if (first === undefined) return null
  const bare = new Set<Row>()
  for (let at = parent.get(first) ?? null; at !== null && !bare.has(at);) {
    bare.add(at)
    at = at === group[0] ? null : (parent.get(at) ?? null)
  }
  const mark = notes.find((row) => {
    const above = parent.get(row) ?? null
    return row.place > first.place && above !== null && bare.has(above)
  })
  return mark === undefined || !bare.has(group[0]!) ? null : { bare, since: mark.place }
}
