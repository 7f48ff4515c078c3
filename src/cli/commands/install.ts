import {
  findAlias,
  findProject,
  planAlias,
  planHooks,
  planHooksRemoval,
  planLauncher,
  planLauncherRemoval,
  agentWords,
  type AgentHooksPlan,
  type AliasPlan,
  type LauncherPlan,
} from '#engine'
import { Failure } from '#failure'
import { installView } from '#protocol'
import { askYesNo } from '../ask.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { allVisible } from '../visible.ts'

export interface InstallFlags {
  readonly scope?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly launcher?: boolean
  readonly alias?: boolean
}

const DONE = {
  add: 'added',
  update: 'updated',
  remove: 'removed',
  'remove-file': 'file-removed',
  none: 'unchanged',
} as const

export async function install(context: Context, flags: InstallFlags): Promise<void> {
  const scope = readScope(flags) ?? 'user'
  const launcher = flags.launcher === true ? planLauncher(context.machine) : null
  if (launcher !== null && !(await agreeToLauncher(context, flags, launcher))) return
  const alias = flags.alias === true ? planAlias(context.environment.startupFile) : null
  const addsAlias = alias !== null && (await agreeToAlias(context, flags, alias))
  const plan = planHooks(context.machine, { scope, project: projectOf(context) })
  if (flags.dryRun !== true) {
    plan.apply()
    launcher?.apply()
    if (addsAlias) alias.apply()
  }
  if (context.json)
    return context.print({
      ...installView(plan, { scope, dryRun: flags.dryRun === true }),
      ...(launcher === null
        ? {}
        : { launcher: { path: launcher.path, change: DONE[launcher.change] } }),
      ...(alias === null
        ? {}
        : {
            alias: { path: alias.path, line: alias.line, change: DONE[addsAlias ? 'add' : 'none'] },
          }),
    })
  for (const each of plan.agents) sayHooks(context, each, { dryRun: flags.dryRun === true })
  const { spool } = allVisible({ spool: plan.spool })
  context.say(context.paint.quiet(`Events are kept in ${spool} until Retake reads them.`))
  context.say(context.paint.quiet('Hint: Run `retake uninstall` to remove the hooks.'))
}

function sayHooks(
  context: Context,
  { agent, change, plugin, sources, blockedBy }: AgentHooksPlan,
  { dryRun }: { dryRun: boolean },
): void {
  const { linkedTo, creates, disabled } = change
  const seen = allVisible({ settings: change.settings, linkedTo, events: change.events })
  const { name } = agentWords(context.machine, agent)
  if (plugin) context.write(`The Retake plugin is enabled in ${name}. It includes the hooks.`)
  else if (change.change === 'none') context.write(`The hooks are already in ${seen.settings}.`)
  else
    context.write(
      `The hooks ${dryRun ? 'would be ' : 'were '}${DONE[change.change]} in ${seen.settings}${creates ? ' (a new file)' : ''}: ${seen.events.join(', ')}.`,
    )
  if (sources.length > 1) context.write(severalText(sources, plugin))
  if (linkedTo !== null) context.write(`It is a link to ${seen.linkedTo}.`)
  const block = dryRun && change.change !== 'none' ? null : blockedBy()
  if (block !== null) context.say(context.paint.warning(allVisible(`${block.says} ${block.cure}`)))
  else if (disabled)
    context.say(context.paint.warning('These settings have `disableAllHooks`: no hook will run.'))
}

/** Shows the launcher first, because it is a program that the user will run. */
async function agreeToLauncher(
  context: Context,
  { dryRun, yes }: InstallFlags,
  { path, text, change, onPath }: LauncherPlan,
): Promise<boolean> {
  if (context.json) return true
  if (change === 'none') context.say(allVisible(`The launcher ${path} exists already.`))
  else
    context.say(
      allVisible(`The launcher ${path}:\n\n${text.replaceAll(/^/gm, '    ').trimEnd()}\n`),
    )
  if (!onPath)
    context.say(
      context.paint.warning(
        allVisible(`${path.slice(0, path.lastIndexOf('/'))} is not on your PATH yet.`),
      ),
    )
  if (change === 'none' || dryRun === true || yes === true || !context.interactive) return true
  if ((await ask('Write it?')) === 'yes') return true
  process.exitCode = exitCodes.interrupted
  context.say('Nothing was changed.')
  return false
}

/** The startup file belongs to the user: without a yes, only show the line. */
async function agreeToAlias(
  context: Context,
  { dryRun, yes }: InstallFlags,
  { path, line, change }: AliasPlan,
): Promise<boolean> {
  if (change === 'none') {
    if (!context.json) context.say(allVisible(`${path} has the alias already.`))
    return false
  }
  if (!context.json) context.say(allVisible(`For ${path}:\n\n    ${line}\n`))
  if (dryRun === true) return false
  const agrees = yes === true || (context.interactive && (await ask('Add it?')) === 'yes')
  if (!context.json)
    context.say(
      agrees
        ? 'Added. It takes effect in new terminals.'
        : 'Not added. `--yes` adds it, or do it yourself.',
    )
  return agrees
}

const SOURCES = {
  user: 'in your settings',
  project: "in this project's settings",
  local: "in this project's local settings",
  plugin: 'in the plugin',
} as const

/** Harmless, but each installed copy of the hooks records every event. */
function severalText(sources: readonly (keyof typeof SOURCES)[], plugin: boolean): string {
  const others = sources.filter((source) => source !== 'plugin').map((source) => SOURCES[source])
  const where = others.join(' and ')
  return plugin
    ? `They are also ${where}. Each event is handled once. \`retake uninstall\` removes those in settings.`
    : `They are ${where}. Each event is handled once.`
}

export async function uninstall(context: Context, flags: InstallFlags): Promise<void> {
  const plan = planHooksRemoval(context.machine, {
    scope: readScope(flags),
    project: projectOf(context),
  })
  const changes = plan.changes.filter(({ change }) => change !== 'none')
  const launcher = flags.scope === 'project' ? null : planLauncherRemoval(context.machine)
  const asks =
    (changes.length > 0 || launcher !== null) && flags.dryRun !== true && flags.yes !== true
  if (asks && !context.interactive)
    throw new Failure(
      'usage',
      'Removing the hooks needs `--yes` when there is no terminal to ask.',
      {
        hint: 'Run `retake uninstall --dry-run` first to see what it would do.',
      },
    )
  if (asks) {
    for (const { settings } of changes) context.say(allVisible(`Hooks are in ${settings}.`))
    if (launcher !== null) context.say(allVisible(`The launcher is ${launcher.path}.`))
    const answer = await ask('Remove them?')
    if (answer !== 'yes') {
      process.exitCode = exitCodes.interrupted
      return context.say('Nothing was changed.')
    }
  }
  if (flags.dryRun !== true) {
    plan.apply()
    launcher?.apply()
  }
  const alias = findAlias(flags.scope === 'project' ? [] : context.environment.startupFiles)
  report(context, plan, { dryRun: flags.dryRun === true, launcher: launcher?.path ?? null, alias })
}

async function ask(question: string): Promise<'yes' | 'no' | 'interrupted'> {
  try {
    return (await askYesNo(question, new AbortController().signal)) ? 'yes' : 'no'
  } catch (error) {
    // Ctrl-C at the question is an answer, not a crash.
    if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
    throw error
  }
}

function report(
  context: Context,
  { changes, stays, plugins }: ReturnType<typeof planHooksRemoval>,
  {
    dryRun,
    launcher,
    alias,
  }: { dryRun: boolean; launcher: string | null; alias: ReturnType<typeof findAlias> },
): void {
  const said = changes.map(({ agent, scope, settings, linkedTo, change }) => ({
    agent,
    scope,
    settings,
    linkedTo,
    change: DONE[change],
  }))
  if (context.json)
    return context.print({
      schema: 'retake.uninstall/1',
      dryRun,
      changes: said,
      plugin: plugins.length > 0,
      stays,
      ...(launcher === null ? {} : { launcher }),
      ...(alias.paths.length === 0 ? {} : { alias }),
    })
  const seen = allVisible(said.filter(({ change }) => change !== 'unchanged'))
  if (seen.length === 0) context.write('Retake’s hooks were not installed.')
  for (const { settings, linkedTo, change } of seen) {
    const verb = dryRun ? 'would be' : 'were'
    const file = change === 'file-removed' ? `, and the file created for them` : ''
    context.write(`The hooks ${verb} removed from ${linkedTo ?? settings}${file}.`)
  }
  if (launcher !== null)
    context.write(allVisible(`The launcher ${launcher} ${dryRun ? 'would be' : 'was'} removed.`))
  for (const agent of plugins) {
    const { removePlugin } = agentWords(context.machine, agent)
    if (removePlugin !== null)
      context.write(`The plugin is still enabled. Run \`${removePlugin}\` to remove it.`)
  }
  for (const { what, path } of allVisible([...stays]))
    context.write(`Not removed: ${STAYS[what]} ${path}`)
  for (const path of allVisible([...alias.paths]))
    context.write(`Not removed: the line \`${alias.line}\` in ${path}. Delete it yourself.`)
}

const STAYS = {
  data: 'Retake’s data about your projects, in',
  cache: 'the cache, in',
  settings: 'your settings of Retake, in',
  spool: 'unread events, in',
  state: 'the log of the server and the list of signed-in browsers, in',
  runtime: 'the lock of the server, in',
} as const

function readScope({ scope }: InstallFlags): 'user' | 'project' | null {
  if (scope === undefined || scope === 'user' || scope === 'project') return scope ?? null
  throw new Failure('usage', '`--scope` takes `user` or `project`.')
}

/** Falls back to the directory itself: hooks are often installed before the first session. */
function projectOf({ machine, wanted }: Context): string {
  const from = wanted.project ?? machine.places.cwd
  return wanted.project ?? findProject(machine, from) ?? from
}
