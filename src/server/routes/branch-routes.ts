import {
  compare,
  outlineSession,
  readBranches,
  readCheckpoints,
  readSession,
  readStash,
  renameOf,
  restoreStash,
  sessionsWithTurn,
  showStash,
} from '#engine'
import { Failure } from '#failure'
import {
  branchedView,
  branchesView,
  checkpointsView,
  compareView,
  stashShowView,
  stashView,
  type BodyOf,
  type BranchedView,
  type Command,
  type ReceiptView,
} from '#protocol'
import {
  apply,
  bodies,
  type Definitions,
  plan,
  planAndApply,
  queries,
  readReveal,
  refuseRunning,
  type Served,
  withSession,
} from '../requests/index.ts'

type Branches =
  | 'branches'
  | 'branch'
  | 'changeBranch'
  | 'deleteBranch'
  | 'makeCanonical'
  | 'checkpoints'
  | 'setCheckpoint'
  | 'deleteCheckpoint'
  | 'stash'
  | 'stashEntry'
  | 'restoreStash'
  | 'compare'

/** Branches, checkpoints and the stash. Each change is an operation like any other. */
export const branchRoutes: Definitions<Branches> = {
  branches: {
    says: 'List the branches of a session: the main branch first, archived ones last',
    answers: ['branches'],
    async handle({ params: { session } }, { machine }) {
      const wanted = { session, project: null }
      await outlineSession(machine, wanted)
      return branchesView(readBranches(machine, wanted))
    },
  },
  branch: {
    says: 'Start a new session after a turn; the files move with it',
    answers: ['branched'],
    body: bodies.branch,
    handle: ({ params, body }, served) => branchSession(served, params.session, body),
  },
  changeBranch: {
    says: 'Rename a branch or a branch session, or archive or unarchive a branch',
    answers: ['receipt'],
    body: bodies.changeBranch,
    handle({ params: { branch }, body: { name, archived, session } }, served) {
      if ((name === undefined) === (archived === undefined))
        throw new Failure('body-invalid', 'Give a `name`, or `archived`, and not both.')
      const home = sessionOf(served, branch, session)
      if (name === undefined) {
        const verb = archived ? 'branch-archive' : 'branch-unarchive'
        return mark(served, home, { verb, branches: [branch] })
      }
      const wanted = { session: home, project: null }
      const { session: id, command } = renameOf(served.machine, wanted, { branch, name })
      return mark(served, id, command)
    },
  },
  deleteBranch: {
    says: 'Hide a branch; turns shared with other branches stay',
    answers: ['receipt'],
    body: bodies.ofSession,
    handle: ({ params: { branch }, body: { session } }, served) =>
      mark(served, sessionOf(served, branch, session), {
        verb: 'branch-delete',
        branches: [branch],
      }),
  },
  makeCanonical: {
    says: 'Make a branch the main branch and archive the old one',
    answers: ['receipt'],
    body: bodies.ofSession,
    handle: ({ params: { branch }, body: { session } }, served) =>
      mark(served, sessionOf(served, branch, session), { verb: 'branch-canonical', branch }),
  },
  checkpoints: {
    says: 'List the checkpoints',
    answers: ['checkpoints'],
    handle: ({ params: { session } }, { machine }) =>
      checkpointsView(readCheckpoints(machine, { session, project: null })),
  },
  setCheckpoint: {
    says: 'Name a turn; the name works wherever a turn id does',
    answers: ['receipt'],
    body: bodies.setCheckpoint,
    handle: ({ params, body }, served) =>
      mark(served, params.session, { verb: 'checkpoint', ...body }),
  },
  deleteCheckpoint: {
    says: 'Delete a checkpoint; the turn stays',
    answers: ['receipt'],
    body: bodies.deleteCheckpoint,
    handle: ({ params, body: { name } }, served) =>
      mark(served, params.session, { verb: 'checkpoint-delete', name }),
  },
  stash: {
    says: 'List the stash: undone turns that are not active again, newest first',
    answers: ['stash'],
    handle({ params: { session: id } }, { machine }) {
      const session = readSession(machine, { session: id, project: null })
      return stashView(session.report.id, readStash(machine, session))
    },
  },
  stashEntry: {
    says: 'Show one entry of the stash, with its turns and their file changes',
    answers: ['stash-show'],
    query: queries.reveal,
    handle({ params: { session: id, entry }, query }, { machine }) {
      const session = readSession(machine, { session: id, project: null })
      const shown = showStash(machine, session, Number(entry), readReveal(query))
      return stashShowView(session.report.id, shown)
    },
  },
  restoreStash: {
    says: 'Restore the turns of an entry, files and conversation',
    answers: ['receipt'],
    body: bodies.restoreStash,
    handle: ({ params, body }, served) =>
      withSession(served, params.session, (change) => {
        const { session, project } = change
        const command = restoreStash(project, session, Number(params.entry))
        return planAndApply(served, change, { ...command, ...body })
      }),
  },
  compare: {
    says: 'Compare two turns, branches or sessions since they diverged',
    answers: ['compare'],
    query: queries.compare,
    handle({ query }, { machine }) {
      const { a, b } = query
      const session = query.session ?? sessionsWithTurn(machine, a)[0] ?? a
      const wanted = { session, project: null }
      return compareView(compare(machine, wanted, [a, b], readReveal(query)))
    },
  },
}

/** Branches off a new session; the original session stays as it is. */
export function branchSession(
  served: Served,
  id: string,
  body: BodyOf<'branch'>,
): Promise<BranchedView> {
  const { machine } = served
  return withSession(served, id, async (change) => {
    refuseRunning(served, change.session.report.id)
    const planned = await plan(served, change, { verb: 'branch', ...body })
    if (planned.kind === 'nothing-to-do')
      throw new Failure('branch-not-made', 'There is no turn to start a session from.')
    const receipt = await apply(served, change, planned)
    const [made] = receipt.branches
    return branchedView(readSession(machine, { session: made!.id, project: null }).report, receipt)
  })
}

function mark(served: Served, id: string, command: Command): Promise<ReceiptView> {
  return withSession(served, id, (change) => planAndApply(served, change, command))
}

/** The session that has a branch with this id. The trunk has the session's own id. */
function sessionOf({ machine }: Served, branch: string, given: string | undefined): string {
  if (given !== undefined) return given
  const holding = sessionsWithTurn(machine, branch).filter((session) =>
    readSession(machine, { session, project: null }).tree.branches.some(({ id }) => id === branch),
  )
  if (holding.length > 1)
    throw new Failure('branch-ambiguous', `${holding.length} sessions have this branch.`, {
      hint: 'Choose one with `session`.',
    })
  // Otherwise it is a session's own id, or the caller's lookup fails with a message.
  return holding[0] ?? branch
}
