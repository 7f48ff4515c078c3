/** A worker thread that reads one session, or all of them for search, and exits. */
import { randomUUID } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { ingest } from '../witness/index.ts'
import { readSession, withKnown } from '../session/index.ts'
import { openMachine } from '../ground/index.ts'
import { openProject } from '../project/index.ts'
import type { AheadWork } from './read-ahead.ts'
import { indexSessions } from '../history/index.ts'

const work = workerData as AheadWork
using machine = openMachine(work.places, { now: () => new Date(), newId: randomUUID })
if (work.purpose === 'search') indexSessions(machine, { enough: () => false })
else {
  const session = readSession(machine, { session: work.session, project: null })
  if (work.purpose === 'read') withKnown(machine, session, () => {})
  else {
    const { open, report } = session
    using project = openProject(machine, report.project)
    ingest(machine, project, open)
  }
}
