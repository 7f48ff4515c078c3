import { command, Failure, remedy } from '#failure'
import { findContent, getContent, linksOfPath, operationsOfPath, type StoredLink } from '#store'
import { shortId, type ContentId, type HeldContent, type ProjectPath, type Value } from '#timeline'
import { REWOUND } from '../witness/index.ts'
import { inspectPresent, projectContents, type Project } from '../project/index.ts'

/** Every content of a path that Retake holds, newest first, without duplicates. */
export function whereIs(project: Project, path: ProjectPath): HeldContent[] {
  const { store } = project
  const now = inspectPresent(project, path, projectContents(store))
  const found = new Map<ContentId, { stood: Set<string>; at: number }>()
  const note = (value: Value | null, words: string, at: number): void => {
    if (value?.kind !== 'file') return
    const entry = found.get(value.content) ?? { stood: new Set(), at: 0 }
    entry.stood.add(words)
    entry.at = Math.max(entry.at, at)
    found.set(value.content, entry)
  }
  for (const link of linksOfPath(store, path)) {
    note(link.before, `before ${whose(link)}`, link.at)
    note(link.after, `after ${whose(link)}`, link.at)
  }
  for (const operation of operationsOfPath(store, path))
    for (const each of operation.paths.filter((entry) => entry.path === path)) {
      note(each.pre, `before operation ${operation.id}`, operation.at)
      note(each.found, `found and kept by operation ${operation.id}`, operation.at)
      for (const late of each.late)
        note(late, `saved while operation ${operation.id} ran`, operation.at)
    }
  return [...found]
    .flatMap(([id, { stood, at }]) => {
      const kept = findContent(store, id)
      // Records may name contents that gc deleted.
      if (kept === null) return []
      return {
        id,
        size: kept.size,
        stood: [...stood],
        at: at === 0 ? null : new Date(at).toISOString(),
        isNow: now.kind === 'file' && now.content === id,
        aside: kept.aside === null ? null : new Date(kept.aside).toISOString(),
      }
    })
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))
}

function whose({ author, evidence }: StoredLink): string {
  if (author.kind === 'turn') return `turn ${shortId(author.id!)}`
  if (author.kind === 'operation') return `operation ${author.id}`
  if (evidence === REWOUND) return 'the agent’s own rewind'
  return author.kind === 'git' ? 'a git operation' : 'a change outside Retake'
}

/** The bytes of a content, by its id or the start of it. */
export function readHeld(project: Project, path: ProjectPath, id: string): Buffer {
  const matching = whereIs(project, path).filter((held) => held.id.startsWith(id))
  if (matching.length !== 1)
    throw new Failure('content-not-found', `${path} has no version ${id} in the store.`, {
      hint: remedy`${command('where', [path])} to list its versions.`,
    })
  return getContent(project.store, matching[0]!.id, { evenAside: true })
}
