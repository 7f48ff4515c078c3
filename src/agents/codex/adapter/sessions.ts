import type { OpenSession } from '../../open-session.ts'
import type { SessionFile } from '../../session-file.ts'
import type { SessionSource } from '../../session-source.ts'
import { timedId } from '../move/index.ts'
import { isThreadId } from '../rows/index.ts'
import {
  addedSince,
  belongingsOf,
  cwdOf,
  describeThread,
  hasElsewhere,
  indexFormat,
  openSessionIndex,
  readShelf,
  watchSessions,
  type CodexFile,
  type CodexSession,
} from '../session/index.ts'

export function sessionsIn(
  home: string,
  toPort: (session: CodexSession) => OpenSession,
): SessionSource {
  const list = (fits: (cwd: string | null) => boolean): CodexFile[] => {
    const shelf = readShelf(home)
    return [...shelf.threads.keys()].flatMap((thread) => {
      const file = describeThread(shelf, thread)
      return file !== null && fits(cwdOf(file)) ? [file] : []
    })
  }
  return {
    list: (directories) =>
      list((cwd) => directories === undefined || (cwd !== null && directories.includes(cwd))),
    listBelow: (directory) =>
      list((cwd) => cwd !== null && (cwd === directory || cwd.startsWith(`${directory}/`))),
    find: (id) => (isThreadId(id) ? describeThread(readShelf(home), id) : null),
    related: (project) => [project],
    canBeginWith: (text) => /^[0-9a-f-]{1,36}$/.test(text),
    idFrom: (uuid) => timedId(uuid, new Date()),
    rescuedId: (id) => id,
    belongings: (file) => belongingsOf(home, ownFile(file)),
    hasElsewhere: (path) => hasElsewhere(readShelf(home), path),
    pathInSession: (path, from, to) => path.replaceAll(from, to),
    watch: () => watchSessions(home),
    addedSince: (session, from) => addedSince(home, session, from),
    cacheName: 'codex.db',
    indexFormat,
    openIndex(cache) {
      const index = openSessionIndex(home, cache)
      return {
        summaries: (files) => index.summaries(files.map(ownFile)),
        open: (file) => toPort(index.open(ownFile(file))),
      }
    },
  }
}

/** Only files that this adapter returned are passed back to it. */
const ownFile = (file: SessionFile): CodexFile => file as CodexFile
