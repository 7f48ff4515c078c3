import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import { observeProject, openMachine, openProject, takeEvents, watchProject } from '#engine'
import { putSessionFact } from '#store'
import { readEnvironment } from '../../src/cli/environment.ts'
import { inMemory, ON_DISK } from '../house/in-memory.ts'
import type { HistoryWorld } from './history.ts'
import { playedAgent } from './played-agent.ts'
import { retakeOn } from './retake-on.ts'

export interface EngineWorldOptions {
  readonly uuid: () => string
  readonly git: boolean
  /** Scans like a server, triggered by directory events. */
  readonly watched: boolean
  /** The agent works in a directory of `--add-dir`. */
  readonly added?: boolean
  /** How far the clock of scans is ahead of the one of file times, in ms. */
  readonly ahead?: number
}

/** Real files, a real store and the engine in this process; the agent is simulated. */
export function engineWorld({
  uuid,
  git,
  watched,
  added = false,
  ahead = 0,
}: EngineWorldOptions): HistoryWorld {
  const root = mkdtempSync(join(realpathSync(added ? ON_DISK : inMemory()), 'retake-'))
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  const place = added ? join(root, 'lib') : project
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: join(root, 'run'),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  }
  for (const directory of [project, place, home, env['XDG_RUNTIME_DIR']!])
    mkdirSync(directory, { recursive: true })
  if (git) {
    writeFileSync(join(home, '.gitconfig'), '[init]\n\tdefaultBranch = main\n')
    spawnSync('git', ['init', '-q'], { cwd: place, env })
    spawnSync('git', ['commit', '-q', '--allow-empty', '-m', 'start'], { cwd: place, env })
  }
  const { places } = readEnvironment(env, {})
  const now = (): Date => new Date(Date.now() + ahead)
  const machine = openMachine({ ...places, cwd: project }, { now, newId: uuid })
  const spool = adapter.prepareSpool(durableDisk, places.state)
  const session = uuid()
  const slug = project.replaceAll(/[^a-zA-Z0-9]/g, '-')
  const opened = openProject(machine, project)
  // What the agent's arguments tell at the first prompt.
  const known = { transcript: null, end: 0, directories: [place] }
  if (added) putSessionFact(opened.store, session, 'added-directories', known)
  observeProject(machine, opened)
  const sessions = (): string[] => [session]
  const observer = watched ? watchProject(machine, opened, { sessions }) : null

  const look = async (): Promise<void> => {
    takeEvents(machine, opened, session)
    if (observer === null) observeProject(machine, opened, sessions())
    else await observer.observe()
  }
  const agent = playedAgent({
    project,
    transcript: join(places.agents['claude-code']!, 'projects', slug, `${session}.jsonl`),
    registry: join(places.agents['claude-code']!, 'sessions'),
    spool,
    session,
    env,
    uuid,
    look,
    place,
    added: added ? [place] : [],
  })

  return {
    project: place,
    rewinds: true,
    turn: (prompt, steps, rewind) => agent.turn(prompt, steps, rewind),
    ...retakeOn(machine, { project, session, kept: opened, place }),
    async [Symbol.asyncDispose]() {
      agent[Symbol.dispose]()
      observer?.[Symbol.dispose]()
      opened[Symbol.dispose]()
      machine[Symbol.dispose]()
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
