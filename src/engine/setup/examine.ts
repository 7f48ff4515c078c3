import { shortId } from '#timeline'
import { isSpoolFull, spoolDirectory, type Agent } from '#agents'
import { type Disk, fileSystemOf, findProgram, lacksFsEvents, nameBytes, statPath } from '#disk'
import { Failure, remedy, command, type Remedy } from '#failure'
import { checkProject } from '../storage/index.ts'
import { findGoneProjects, findProject, openKnownProject } from '../session/index.ts'
import { findAgentVersion } from './agent-version.ts'
import { hooksInstalled, planHooks, type AgentHooksPlan } from '../hooks/index.ts'
import {
  agentOf,
  findLosses,
  measureKept,
  readSettings,
  type Machine,
  type Places,
} from '../ground/index.ts'

/** One checked item. A wrong one has a cure; a note leaves the decision to the user. */
export interface Finding {
  readonly about:
    | 'node'
    | 'agent'
    | 'sdk'
    | 'hooks'
    | 'settings'
    | 'store'
    | 'transcripts'
    | 'sessions'
    | 'files'
    | 'disk'
    | 'permissions'
    | 'server'
  readonly state: 'fine' | 'note' | 'wrong'
  readonly says: string
  readonly cure: Remedy | null
}

/** Checks everything that Retake needs; changes nothing. */
export async function examine(machine: Machine, directory: string): Promise<Finding[]> {
  // First, because opening the store may repair its directory's permissions.
  const permissions = checkPermissions(machine)
  const project = findProject(machine, directory) ?? directory
  const agents = usedAgents(machine)
  return [
    ...permissions,
    ...(await Promise.all(agents.map((agent) => checkAgent(machine, agent, project)))),
    ...(await Promise.all(agents.map((agent) => checkRunner(machine, agent)))),
    ...checkHooks(machine, project),
    checkSettings(machine),
    ...checkStore(machine, project),
    ...checkTranscripts(machine),
    ...checkProjects(machine, directory),
    ...checkFileSystem(machine, project),
    ...checkWatching(),
    ...checkDisk(machine),
  ]
}

/** The agents that this machine has a trace of; all of them if there is none of any. */
function usedAgents({ agents, places }: Machine): readonly Agent[] {
  const used = agents.filter(
    ({ directories, words: { program } }) =>
      directories.some(({ path }) => statPath(path) !== null) ||
      places.programs.some((directory) => statPath(`${directory}/${program}`)?.isFile()),
  )
  return used.length > 0 ? used : agents
}

async function checkAgent(machine: Machine, agent: Agent, project: string): Promise<Finding> {
  const {
    words: { name, program: command },
    versions,
  } = agent
  const program = await findAgentVersion(machine, agent, project)
  if (program === null) return whyNoAgent(machine.places, { name, command })
  const { version } = program
  if (version === null)
    return wrong(
      'agent',
      `${name}: ${program.path} does not print its version.`,
      `Run \`${command} --version\` yourself; reinstall ${name} if it fails.`,
    )
  if (versions.isMeasured(version)) return fine('agent', `${name} ${version}, tested.`)
  return note(
    'agent',
    `${name} ${version} was not tested with this Retake.`,
    'Retake tests it before it relies on it. A newer Retake may support it.',
  )
}

/** Retake does not run a program that is in the project or that others could replace. */
function whyNoAgent(
  { programs }: Places,
  { name, command }: { name: string; command: string },
): Finding {
  const any = programs
    .map((directory) => `${directory}/${command}`)
    .find((path) => statPath(path)?.isFile())
  if (any === undefined)
    return note('agent', `${name}: there is no \`${command}\` on your PATH.`, `Install ${name}.`)
  const isSafe = findProgram(command, programs, { outside: [] }) !== null
  return note(
    'agent',
    isSafe
      ? `${name}: the \`${command}\` on your PATH (${any}) is inside this project, so Retake does not run it.`
      : `${name}: others could replace the \`${command}\` on your PATH (${any}), so Retake does not run it.`,
    `Install ${name} where only you or root can write.`,
  )
}

async function checkRunner(
  { places }: Machine,
  { runner, words: { name } }: Agent,
): Promise<Finding> {
  const missing = runner === null ? null : await runner.missing(places.programs)
  if (runner === null) return note('sdk', `${name} cannot be run from Retake.`, 'Run it yourself.')
  if (missing !== null) return note('sdk', missing.what, missing.hint)
  return fine('sdk', runner.ready)
}

function checkHooks(machine: Machine, project: string): Finding[] {
  const plans = planHooks(machine, { scope: 'user', project }).agents
  const found = plans.flatMap((plan) =>
    checkHooksOf(machine, plan, { project, isAlone: plans.length === 1 }),
  )
  if (!isSpoolFull(spoolDirectory(machine.places.state))) return found
  const says = 'The hooks’ queue is full, so new events are lost.'
  return [
    ...found.filter(({ state }) => state !== 'fine'),
    wrong('hooks', says, remedy`${command('install')}.`),
  ]
}

function checkHooksOf(
  machine: Machine,
  { agent: name, plugin, sources, blockedBy }: AgentHooksPlan,
  { project, isAlone }: { project: string; isAlone: boolean },
): Finding[] {
  const agent = agentOf(machine, { agent: name })
  const whose = isAlone ? '' : `${agent.words.name}: `
  const hooks = hooksInstalled(agent, project)
  if (hooks === 'none' && !plugin)
    return [
      note(
        'hooks',
        `${whose}Hooks are not installed, so Retake cannot see what shell commands do to files.`,
        remedy`${command('install')}.`,
      ),
    ]
  const found: Finding[] = []
  const block = blockedBy()
  if (block !== null) {
    const { why, says, cure } = block
    found.push(why === 'disabled' ? wrong('hooks', says, cure) : note('hooks', says, cure))
  }
  for (const scope of ['user', 'project'] as const) {
    if (!sources.includes(scope)) continue
    const plans = planHooks(machine, { scope, project }).agents
    const { change: kind, settings } = plans.find((each) => each.agent === name)!.change
    if (kind === 'update')
      found.push(
        note(
          'hooks',
          `The hooks in ${settings} are from another version of Retake.`,
          remedy`${command('install', [], { scope })} to update them.`,
        ),
      )
  }
  if (found.length > 0) return found
  if (sources.length < 2) {
    const where = plugin ? 'by the plugin' : hooks
    return [fine('hooks', `${whose}Hooks are installed (${where}).`)]
  }
  const says = `${whose}Hooks are installed ${sources.length} times (${sources.join(', ')}). Each event is handled once.`
  const cure = plugin
    ? remedy`The plugin is enough. ${command('uninstall')} to remove the others.`
    : remedy`${command('uninstall', [], { scope: 'project' })} to remove the second one.`
  return [note('hooks', says, cure)]
}

function checkSettings(machine: Machine): Finding {
  try {
    const { path, wrong: bad } = readSettings(machine)
    if (bad.length === 0) return fine('settings', 'Settings are valid.')
    return wrong(
      'settings',
      `${path}: ${bad.map(({ key, must }) => `${key} must be ${must}`).join('; ')}.`,
      remedy`Fix the file, or ${command('settings set', ['NAME', 'VALUE'])}.`,
    )
  } catch (error) {
    return failed('settings', error, 'Fix the file, or delete it.')
  }
}

function checkStore(machine: Machine, path: string): Finding[] {
  try {
    using project = openKnownProject(machine, path)
    if (project === null) return [fine('store', 'Nothing is stored for this project yet.')]
    const { database, records, contents } = checkProject(machine, project, { readData: false })
    const problems = database.length + records.length + contents.length
    if (problems === 0) return [fine('store', 'The store of this project is intact.')]
    return [
      wrong(
        'store',
        'The store of this project is damaged.',
        remedy`${command('check')} for details.`,
      ),
    ]
  } catch (error) {
    return [failed('store', error, remedy`${command('check')} for details.`)]
  }
}

function checkTranscripts(machine: Machine): Finding[] {
  const lost = findLosses(machine, null)
  if (lost.length === 0) return [fine('transcripts', 'No transcript was lost or cut.')]
  return lost.map(({ session, title, how }) =>
    wrong(
      'transcripts',
      `“${title}” (${shortId(session)}) was ${LOST[how]}, not by Retake; Retake has a copy.`,
      remedy`${command('rescue', [session])} to get it back as a new session.`,
    ),
  )
}

/** A renamed directory is recognized by its identity on disk. */
function checkProjects(machine: Machine, here: string): Finding[] {
  return findGoneProjects(machine, here).map(({ path, sessions, isHere }) =>
    note(
      'sessions',
      `${path} does not exist, but ${sessions === 1 ? '1 session' : `${sessions} sessions`} ran there.`,
      isHere
        ? remedy`It is this directory now: ${command('project move', [path, here])}.`
        : remedy`If it was moved, ${command('project move', [path, 'NEW'])}.`,
    ),
  )
}

/** Mounts of containers and virtual machines: what the other side changes is not reported here. */
function checkFileSystem({ disk }: Machine, project: string): Finding[] {
  if (disk.stat(nameBytes(project))?.kind !== 'directory') return []
  const { name, isLocal } = fileSystemOf(disk, project)
  if (isLocal) return []
  return [
    note(
      'files',
      `${project} is on a file system (${name}) that does not report every change.`,
      'Retake scans all files at each step instead. On a local disk it would scan only what changed.',
    ),
  ]
}

/** Node's own watch does not say when events were lost, so a change shows up later. */
function checkWatching(): Finding[] {
  if (!lacksFsEvents()) return []
  return [
    note(
      'files',
      'The optional package fsevents is missing or does not load, so Retake watches files with Node.',
      'Changes may show up later. Install Retake again with its optional packages.',
    ),
  ]
}

const LOST = { gone: 'deleted', shrunk: 'cut', rewritten: 'rewritten' } as const

const MIN_FREE_BYTES = 200 * 1024 * 1024

function checkDisk(machine: Machine): Finding[] {
  const { all, quota, level } = measureKept(machine, null)
  const found: Finding[] = []
  if (level !== 'fine')
    found.push(
      wrong(
        'disk',
        `Storage: ${percent(all, quota)} of the quota is used.`,
        remedy`${command('gc')} to delete old data, or ${command('settings set', ['quota', 'SIZE'])} to allow more.`,
      ),
    )
  const free = freeBelow(machine.disk, machine.places.data)
  if (free !== null && free < MIN_FREE_BYTES)
    found.push(wrong('disk', 'The disk is nearly full.', 'Free some space.'))
  if (found.length > 0) return found
  return [fine('disk', `Storage: ${percent(all, quota)} of the quota is used.`)]
}

function percent(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 100)} %`
}

/** Before the first capture the directory does not exist, so measure at its nearest parent. */
function freeBelow(disk: Disk, directory: string): number | null {
  for (let at = directory; at !== ''; at = at.slice(0, at.lastIndexOf('/')))
    if (statPath(at) !== null) return disk.space(nameBytes(at)).free
  return null
}

/** Finds directories that other users can access, and those that Retake cannot write. */
function checkPermissions({ places, disk }: Machine): Finding[] {
  const found: Finding[] = []
  for (const path of [places.data, places.state, places.runtime]) {
    const stat = statPath(path)
    if (stat === null) continue
    if ((Number(stat.mode) & 0o077) !== 0)
      found.push(wrong('permissions', `Other users can read ${path}.`, `\`chmod 700 ${path}\``))
    if (!disk.isWritable(nameBytes(path)))
      found.push(wrong('permissions', `${path} cannot be written.`, `\`chmod u+rwx ${path}\``))
  }
  return found.length > 0 ? found : [fine('permissions', 'Data is private to your user.')]
}

function failed(about: Finding['about'], error: unknown, cure: Remedy): Finding {
  if (!(error instanceof Failure)) throw error
  return wrong(about, error.message, error.hint ?? cure)
}

function fine(about: Finding['about'], says: string): Finding {
  return { about, state: 'fine', says, cure: null }
}

function note(about: Finding['about'], says: string, cure: Remedy): Finding {
  return { about, state: 'note', says, cure }
}

function wrong(about: Finding['about'], says: string, cure: Remedy): Finding {
  return { about, state: 'wrong', says, cure }
}
