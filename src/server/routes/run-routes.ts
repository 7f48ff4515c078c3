import { findProjectById, listProjects, readSession, type Run } from '#engine'
import { Failure } from '#failure'
import type { ConverseBody, StreamBody, StreamName, StreamParams } from '#protocol'
import type { z } from '@hono/zod-openapi'
import { bodies, type Definitions, type Served } from '../requests/index.ts'

/** Routes about the turns that the server runs, and the projects to run them in. */
export const runRoutes: Definitions<'projects' | 'abort' | 'dropQueued' | 'answerApproval'> = {
  projects: {
    says: 'List the projects that agents worked in, newest first',
    answers: ['projects'],
    handle: (_, { machine }) => ({
      schema: 'retake.projects/1',
      projects: listProjects(machine),
    }),
  },
  abort: {
    says: 'Stop the turn that this server runs in a session, and clear its queue',
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
    says: 'Remove a queued prompt',
    answers: ['abort'],
    handle({ params: { run } }, { runs }) {
      const dropped = runs.drop(run)
      if (dropped === null) throw new Failure('run-not-found', 'That prompt is no longer queued.')
      const { session, prompt } = dropped
      return { schema: 'retake.abort/1', session, stopped: false, dropped: [prompt] }
    },
  },
  answerApproval: {
    says: 'Answer a permission request of the agent',
    answers: ['approval'],
    body: bodies.approval,
    handle({ params: { approval }, body: { allow, always, reason } }, { runs }) {
      const answer = allow
        ? { allow, always: always === true }
        : { allow, ...(reason === undefined ? {} : { reason }) }
      if (runs.answer(approval, answer)) return { schema: 'retake.approval/1', approval, allow }
      throw new Failure('approval-not-found', 'That request no longer waits for an answer.', {
        hint: 'It was answered already, or its turn was stopped.',
      })
    },
  },
}

/** One stream: its description, its input, and the run that it follows. */
interface StreamDefinition<Name extends StreamName> {
  readonly says: string
  readonly body?: z.ZodType<StreamBody<Name>>
  find(params: StreamParams<Name>, body: StreamBody<Name>, served: Served): Run
}

export const runStreams: { readonly [Name in StreamName]: StreamDefinition<Name> } = {
  converse: {
    says: 'Send a prompt to a session; streams the turn',
    body: bodies.converse,
    find: ({ session }, body, served) =>
      served.runs.converse({ session: idOf(served, session), project: null, ...said(body) }),
  },
  start: {
    says: 'Start a session in a project; streams its first turn',
    body: bodies.start,
    find: (_, { project, agent, ...body }, { runs, machine }) =>
      runs.converse({
        session: null,
        agent: agent ?? null,
        project: findProjectById(machine, project).path,
        ...said(body),
      }),
  },
  rejoin: {
    says: 'Stream the running or last turn of a session, from its start or after `Last-Event-ID`',
    find({ session }, _, served) {
      const run = served.runs.last(idOf(served, session))
      if (run !== null) return run
      throw new Failure(
        'run-not-found',
        'The server has not run a turn in this session since it started.',
      )
    },
  },
  followRun: {
    says: 'Stream one run by its id: while it is queued, while it runs, and after its end',
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

/** A new session has no file until its first row is written. */
function idOf({ machine, runs }: Served, session: string): string {
  if (runs.last(session) !== null) return session
  return readSession(machine, { session, project: null }).report.id
}
