import {
  listKnownProjects,
  openKnown,
  openProject,
  readOperation,
  readOperations,
  readSession,
  showOperation,
  type Project,
  openForChange,
} from '#engine'
import { Failure } from '#failure'
import { operationsView, operationView, type OperationView } from '#protocol'
import {
  bodies,
  type Definitions,
  planAndApply,
  queries,
  readReveal,
  type Served,
} from '../requests/index.ts'

/** The history of operations. */
export const operationRoutes: Definitions<'operations' | 'operation' | 'undoOperation'> = {
  operations: {
    says: 'List operations, newest first: of a session’s project, or of all',
    answers: ['op-log'],
    query: queries.operations,
    handle({ query: { session, limit } }, served) {
      const operations = projectsOf(served, session)
        .flatMap(({ key, path }) => operationsIn(served, key, path, limit))
        .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id))
      return { schema: 'retake.op-log/1', operations: operations.slice(0, limit) }
    },
  },
  operation: {
    says: 'Show one operation: its diff per file, and the state before it against now',
    answers: ['op-show'],
    query: queries.operation,
    handle({ params, query }, served) {
      using project = openProjectOf(served, params.operation, query.session)
      return operationView(showOperation(project, numberOf(params.operation), readReveal(query)))
    },
  },
  undoOperation: {
    says: 'Undo an operation',
    answers: ['receipt'],
    body: bodies.undoOperation,
    async handle({ params, body: { session: of, ...how } }, served) {
      const { machine } = served
      const id = numberOf(params.operation)
      using change = await openForChange(machine, sessionOf(served, params.operation, of))
      return await planAndApply(served, change, { verb: 'op-undo', operation: id, ...how })
    },
  },
}

/** The session that an operation moved. */
function sessionOf(served: Served, ref: string, of: string | undefined): string {
  using project = openProjectOf(served, ref, of)
  return readOperation(project, numberOf(ref)).session
}

function numberOf(ref: string): number {
  return Number(ref.split('.').at(-1))
}

function projectsOf({ machine }: Served, session: string | undefined) {
  const known = listKnownProjects(machine)
  if (session === undefined) return known
  const { project } = readSession(machine, { session, project: null }).report
  return known.filter(({ path }) => path === project)
}

function operationsIn(
  { machine }: Served,
  key: string,
  path: string,
  limit: number | undefined,
): OperationView[] {
  try {
    using project = openProject(machine, path)
    const { operations } = operationsView(readOperations(project, { limit }))
    return operations.map((operation) => ({ ...operation, ref: `${key}.${operation.id}` }))
  } catch (error) {
    // A damaged store in one project must not hide the operations in the others.
    if (error instanceof Failure) return []
    throw error
  }
}

function openProjectOf({ machine }: Served, ref: string, session: string | undefined): Project {
  const [key, number] = ref.includes('.') ? ref.split('.') : [null, ref]
  if (key) return openKnown(machine, key)
  if (session !== undefined) {
    const { report } = readSession(machine, { session, project: null })
    return openProject(machine, report.project)
  }
  const projects = listKnownProjects(machine)
  if (projects.length === 1) return openProject(machine, projects[0]!.path)
  throw new Failure('operation-ambiguous', `Which project’s operation ${number}?`, {
    hint: 'Use its `ref` from the list of operations, or send a `session`.',
  })
}
