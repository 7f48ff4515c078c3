import { findProjectById, listProjects, readSession, type Run } from '#engine'
import { Failure } from '#failure'
import type { ConverseBody, StreamBody, StreamName, StreamParams } from '#protocol'
import type { z } from '@hono/zod-openapi'
import { bodies, type Definitions, type Served } from '../requests/index.ts'

/** Routes about what the agent does now. */
export const runRoutes: Definitions<'projects' | 'abort' | 'dropQueued' | 'answerApproval'> = {
  projects: {
    says: 'The directories that agents have worked in, the newest first',
    answers: ['projects'],
    handle: (_, { machine }) => ({
      schema: 'retake.projects/1',
      projects: listProjects(machine),
    }),
  },
  abort: {
    says: 'Stops the turn that this server runs in a session, and what waits behind it',
    answers: ['abort'],
    async handle({ params }, served) {
      const session = idOf(served, params.session)
      const stopped = await served.runs.stop(session)
      return {
        schema: 'retake.abort/1',
        session,
        stopped: stopped !== null,
        dropped: [...(stopped?.dropped ?? [])],
      }
    },
  },
  dropQueued: {
    says: 'Takes a prompt that waits behind a running turn out of the queue',
    answers: ['abort'],
    handle({ params: { run } }, { runs }) {
      const dropped = runs.drop(run)
      if (dropped === null)
        throw new Failure('run-not-found', 'That prompt does not wait any more.')
      const { session, prompt } = dropped
      return { schema: 'retake.abort/1', session, stopped: false, dropped: [prompt] }
    },
  },
  answerApproval: {
    says: 'Answers what the agent asks before it does something',
    answers: ['approval'],
    body: bodies.approval,
    handle({ params: { approval }, body: { allow, always, reason } }, { runs }) {
      const answer = allow
        ? { allow, always: always === true }
        : { allow, ...(reason === undefined ? {} : { reason }) }
      if (runs.answer(approval, answer)) return { schema: 'retake.approval/1', approval, allow }
      throw new Failure('approval-not-found', 'Nobody waits for that answer any more.', {
        hint: 'It was answered already, or its turn was stopped.',
      })
    },
  },
}

/** One stream: what it says of itself, what it takes, and the run that it follows. */
interface StreamDefinition<Name extends StreamName> {
  readonly says: string
  readonly body?: z.ZodType<StreamBody<Name>>
  find(params: StreamParams<Name>, body: StreamBody<Name>, served: Served): Run
}

export const runStreams: { readonly [Name in StreamName]: StreamDefinition<Name> } = {
  converse: {
    says: 'Goes on with a session from where it stands; the answer is the turn as it happens',
    body: bodies.converse,
    find: ({ session }, body, served) =>
      served.runs.converse({ session: idOf(served, session), project: null, ...said(body) }),
  },
  start: {
    says: 'Begins a session in a project; the answer is its first turn as it happens',
    body: bodies.start,
    find: (_, { project, ...body }, { runs, machine }) =>
      runs.converse({
        session: null,
        project: findProjectById(machine, project).path,
        ...said(body),
      }),
  },
  rejoin: {
    says: 'The turn that runs in a session, or ran last, from its start or after `Last-Event-ID`',
    find({ session }, _, served) {
      const run = served.runs.last(idOf(served, session))
      if (run !== null) return run
      throw new Failure('run-not-found', 'No turn was run here since the server started.')
    },
  },
  followRun: {
    says: 'One prompt by the id of its run: while it waits, while it runs, and after its end',
    find({ run: id }, _, { runs }) {
      const run = runs.byId(id)
      if (run !== null) return run
      throw new Failure('run-not-found', 'This server does not know that run.')
    },
  },
}

function said({ prompt, images = [], model, permissionMode }: ConverseBody) {
  return { prompt, images, model: model ?? null, permissionMode: permissionMode ?? null }
}

/** A new session has no file before its first words. */
function idOf({ machine, runs }: Served, session: string): string {
  if (runs.last(session) !== null) return session
  return readSession(machine, { session, project: null }).report.id
}
