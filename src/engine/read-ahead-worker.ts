/** A thread that reads one session for the process that started it, and ends. */
import { randomUUID } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { ingest } from './ingest.ts'
import { withKnown } from './known-project.ts'
import { openMachine } from './machine.ts'
import { openProject } from './open-project.ts'
import type { AheadWork } from './read-ahead.ts'
import { readSession } from './read-session.ts'

const { places, session, purpose } = workerData as AheadWork
using machine = openMachine(places, { now: () => new Date(), newId: randomUUID })
const { open, tree, report } = readSession(machine, { session, project: null })
if (purpose === 'look') withKnown(machine, open, tree, () => {})
else {
  using project = openProject(machine, report.project)
  ingest(machine, project, open)
}
