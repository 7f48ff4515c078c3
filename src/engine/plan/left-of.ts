import { basename, dirname } from 'node:path'
import { lstatPath } from '#disk'
import { LEFT_OUT_WORDS } from '#snapshots'
import { linksOfAuthor, listProjects, PURGED } from '#store'
import type { LeftReport, NotCovered, UnsureLink } from '#timeline'
import { directoryToAgree, NOT_AGREED, type Project } from '../project/index.ts'
import { becauseOf } from './plan-words.ts'

/** Changes that may not be the turns' own, one per path. */
export function leftInDoubt(
  { store }: Pick<Project, 'store'>,
  unsure: readonly UnsureLink[],
): LeftReport[] {
  const byPath = new Map(unsure.map((link) => [link.path, link]))
  return [...byPath.values()].map(({ path, turn, doubt }) => {
    const links = linksOfAuthor(store, { kind: doubt, id: turn })
    const evidence = links.findLast((link) => link.path === path)?.evidence
    return { path, kind: doubt, why: evidence ?? UNKNOWN, include: 'includeUnsure' }
  })
}

const KINDS = new Map<string | undefined, LeftReport['kind']>([
  [PURGED, 'purged'],
  [LEFT_OUT_WORDS['too-big'], 'too-large'],
  [LEFT_OUT_WORDS.special, 'special'],
  [LEFT_OUT_WORDS['other-file-system'], 'other-file-system'],
])

function kindOf({ because }: NotCovered): LeftReport['kind'] {
  return KINDS.get(because) ?? 'not-covered'
}

const UNKNOWN = 'it may not be this turn’s change'

function standsAt({ path: root }: Project, { path, because }: NotCovered) {
  const stat = lstatPath(path.startsWith('/') ? path : `${root}/${path}`)
  if (stat === null) return 'nothing'
  const isPipe = because === LEFT_OUT_WORDS.special
  return isPipe && (stat.isFile() || stat.isDirectory()) ? 'something-else' : 'it'
}

export function leftNotCovered(project: Project, notCovered: readonly NotCovered[]): LeftReport[] {
  return notCovered
    .map((each): LeftReport => {
      const left: LeftReport = {
        path: each.path,
        kind: kindOf(each),
        why: becauseOf(each, standsAt(project, each)),
        ...(each.isBeforeKept === true ? { earlier: true } : {}),
      }
      if (each.because !== NOT_AGREED) return left
      const agree = directoryToAgree(project, each.path)
      if (agree === null) return { ...left, kind: 'outside' }
      return { ...left, kind: 'outside', agree }
    })
    .sort((a, b) => (a.path! < b.path! ? -1 : 1))
}

/**
 * A directory that was deleted and recreated is a new project: the records of the old one are about
 * files that are gone.
 */
export function leftOfOldProject({ store, path }: Pick<Project, 'store' | 'path'>): LeftReport[] {
  const [data, key] = [dirname(dirname(store.directory)), basename(store.directory)]
  const isRemade = listProjects(store.disk, data).some(
    (other) => other.path === path && other.key !== key,
  )
  if (!isRemade) return []
  const why = 'the project directory was recreated; commands before that are not undone'
  return [{ path: null, kind: 'not-covered', why }]
}
