import { openForChange, openRuns } from '#engine'
import type { Context } from '../context.ts'
import type { Backend } from './backend.ts'

/** Without a server, this process applies plans and runs the agent. */
export function openLocalBackend({ machine, environment }: Context): Backend {
  const runs = openRuns(machine, { environment: environment.agent, executable: null })
  return {
    isThere: true,
    async apply(_, { planned }, watching) {
      using change = await openForChange(machine, planned.session.report.id, { running: watching })
      return await change.apply(planned, watching)
    },
    async converse({ session, project, prompt }, { onEvent, onEnd }) {
      const run = runs.converse({ session, project: session === null ? project : null, prompt })
      run.log.follow(0, onEvent)
      void run.ended.then(() => onEnd())
      await run.named
      return run.session
    },
    async answer(approval, answer) {
      runs.answer(approval, answer)
    },
    async stop(session) {
      await runs.stop(session)
    },
    [Symbol.asyncDispose]: () => runs.close(),
  }
}
