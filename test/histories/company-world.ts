import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import { observeProject, openMachine, openProject, takeEvents, watchProject } from '#engine'
import { readEnvironment } from '../../src/cli/environment.ts'
import { inMemory } from '../house/in-memory.ts'
import type { Random } from '../reader/random.ts'
import type { HistoryWorld } from './history.ts'
import { playedAgent, type PlayedAgent } from './played-agent.ts'
import { retakeOn } from './retake-on.ts'

/** One session of the project. */
export type Member = Pick<PlayedAgent, 'turn'> & Pick<HistoryWorld, 'operate' | 'line'>

/** A project in which several sessions take turns. */
export interface CompanyWorld extends Disposable {
  readonly project: string
  readonly members: readonly Member[]
}

/** A server scans in every second one. */
export function makeCompany(random: Random, seed: number): CompanyWorld {
  return companyWorld({ uuid: () => random.uuid(), count: 2, watched: seed % 2 === 0 })
}

export function companyWorld({
  uuid,
  count,
  watched,
}: {
  uuid: () => string
  count: number
  /** Scans like a server, triggered by directory events. */
  watched: boolean
}): CompanyWorld {
  const root = mkdtempSync(join(realpathSync(inMemory()), 'retake-'))
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: join(root, 'run'),
    LC_ALL: 'C.UTF-8',
  }
  for (const directory of [project, home, env.XDG_RUNTIME_DIR]) mkdirSync(directory)
  const { places } = readEnvironment(env, {})
  const made = new DisposableStack()
  made.defer(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))
  const now = (): Date => new Date()
  const machine = made.use(openMachine({ ...places, cwd: project }, { now, newId: uuid }))
  const opened = made.use(openProject(machine, project))
  const ids = Array.from({ length: count }, () => uuid())
  observeProject(machine, opened)
  const observer = watched ? made.use(watchProject(machine, opened, { sessions: () => ids })) : null
  const directory = join(places.agents['claude-code']!, 'projects', project.replaceAll(/\W/g, '-'))
  const member = (session: string): Member => {
    const agent = made.use(
      playedAgent({
        project,
        transcript: join(directory, `${session}.jsonl`),
        registry: join(places.agents['claude-code']!, 'sessions'),
        spool: adapter.prepareSpool(durableDisk, places.state),
        session,
        env,
        uuid,
        async look() {
          takeEvents(machine, opened, session)
          if (observer === null) observeProject(machine, opened, ids)
          else await observer.observe()
        },
      }),
    )
    return {
      turn: (prompt, steps, rewind) => agent.turn(prompt, steps, rewind),
      ...retakeOn(machine, { project, session, kept: opened }),
    }
  }
  return {
    project,
    members: ids.map(member),
    [Symbol.dispose]: () => made.dispose(),
  }
}
