import { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { findTurn } from '#engine'
import { Failure } from '#failure'
import { back, change, rewindTo, type ChangeFlags } from './commands/change.ts'
import {
  check,
  diff,
  operationLog,
  pathInProject,
  readOperationId,
  showOperation,
  where,
} from './commands/history.ts'
import { addInstall } from './commands/install-verbs.ts'
import { log, sessions, show, status, tree } from './commands/read.ts'
import { openContext, type CommonFlags, type Context } from './context.ts'

const EXAMPLES = `
Examples:
  retake undo                    the last turn back, files and conversation
  retake undo 3 --dry-run        what undoing three turns would do
  retake redo                    and forward again
  retake sessions --all          every session on this machine
  retake log                     the turns of this project's newest session
  retake show 3                  what turn 3 said and did, with its diffs
  retake tree                    the branches, and where you are

Exit codes: 0 done, 1 failed, 2 usage, 4 conflict (nothing changed), 5 busy or locked,
6 not found, 130 interrupted.`

/** The verbs, as the command line reads them. */
export function program(): Command {
  const program = new Command('retake')
  program
    .description('Undo, redo and branches for coding-agent sessions.')
    .version(packageJson.version, '-V, --version')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
  verb(program, 'sessions', 'all sessions of the project, or of all projects')
    .option('--all', 'sessions of all projects')
    .action((flags: CommonFlags & { all?: boolean }) =>
      within(flags, (context) => sessions(context, { all: flags.all === true })),
    )
  verb(program, 'log', 'the turns of a session: active, undone, other branches').action(
    (flags: CommonFlags) => within(flags, log),
  )
  verb(program, 'show', 'one turn: prompt, steps, files, diff')
    .argument('<turn>', 'its number, its id or the beginning of it, or BRANCH:NUMBER')
    .action((turn: string, flags: CommonFlags) => within(flags, (context) => show(context, turn)))
  verb(program, 'tree', 'the branches as a tree').action((flags: CommonFlags) =>
    within(flags, tree),
  )
  verb(program, 'status', 'where the session stands').action((flags: CommonFlags) =>
    within(flags, status),
  )
  addChanges(program)
  addHistory(program)
  addInstall(program)
  return program
}

function addHistory(program: Command): void {
  verb(program, 'diff', 'what the turns after A up to B did to files')
    .argument('<range>', 'A..B; 0 is the start')
    .action((range: string, flags: CommonFlags) => within(flags, (context) => diff(context, range)))
  verb(program, 'where', 'every content of a file that Retake holds')
    .argument('<path>')
    .option('--content <id>', 'write this content to standard output')
    .action((path: string, flags: CommonFlags & { content?: string }) =>
      within(flags, (context) => where(context, path, flags)),
    )
  verb(program, 'check', 'look for damage in what Retake holds')
    .option('--read-data', 'also read every byte')
    .action((flags: CommonFlags & { readData?: boolean }) =>
      within(flags, (context) => check(context, { readData: flags.readData === true })),
    )
  const op = program
    .command('op')
    .description('Retake’s own history: log, show, undo')
    .exitOverride()
  verb(op, 'log', 'what Retake did in this project, newest first').action((flags: CommonFlags) =>
    within(flags, operationLog),
  )
  verb(op, 'show', 'one operation, file by file')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) =>
      within(flags, (context) => showOperation(context, id)),
    )
  changing(op, 'undo', 'undo the newest operation, or the named one')
    .argument('[id]')
    .action((id: string | undefined, flags: Flags) =>
      within(flags, (context) =>
        change(context, flags, () => ({
          verb: 'op-undo',
          operation: id === undefined ? null : readOperationId(id),
        })),
      ),
    )
}

/** A whole number from 1; anything else is a usage error and not "all" or "nothing". */
function readCount(text: string | undefined): number {
  if (text === undefined) return 1
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count < 1) throw new Failure('usage', `${text} is not a number of turns.`)
  return count
}

function addChanges(program: Command): void {
  changing(program, 'undo', 'take the last turn back, files and conversation; or the last N')
    .argument('[n]', 'how many turns')
    .option('--whole', 'also empty the conversation when its first turn goes')
    .action((n: string | undefined, flags: Flags) =>
      within(flags, (context) =>
        change(context, flags, () => ({ verb: 'undo', count: readCount(n) })),
      ),
    )
  changing(program, 'redo', 'bring the next undone turn again; or the next N')
    .argument('[n]', 'how many turns')
    .option('--all', 'all undone turns')
    .action((n: string | undefined, flags: Flags & { all?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, () => ({
          verb: 'redo',
          count: flags.all === true ? 'all' : readCount(n),
        })),
      ),
    )
  changing(program, 'back', 'the conversation alone, one turn back').action((flags: Flags) =>
    within(flags, (context) => back(context, flags)),
  )
  changing(program, 'rewind', 'keep everything up to and including a turn; 0 is before the first')
    .argument('[turn]', 'the last turn to keep')
    .option('--before <turn>', 'to the moment its prompt was sent')
    .option('--whole', 'also empty the conversation when going before the first turn')
    .action((turn: string | undefined, flags: Flags & { before?: string }) =>
      within(flags, (context) =>
        change(context, flags, (session) => rewindTo(session, turn, flags.before)),
      ),
    )
  changing(program, 'revert', 'take the files of one turn out, and keep the later ones')
    .argument('<turn>')
    .option('--off', 'bring them back')
    .action((turn: string, flags: Flags & { off?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) => ({
          verb: 'revert',
          turn: findTurn(tree, turn),
          off: flags.off === true,
        })),
      ),
    )
  changing(program, 'restore', 'single files, as they were after a turn')
    .argument('<path...>')
    .requiredOption('--at <turn>', 'the turn; 0 is before the first')
    .action((paths: string[], flags: Flags & { at: string }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }, project) => ({
          verb: 'restore',
          paths: paths.map((path) => pathInProject(context, project, path)),
          at: flags.at === '0' ? null : findTurn(tree, flags.at),
        })),
      ),
    )
}

type Flags = CommonFlags & ChangeFlags

function changing(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'print the plan, write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--only <part>', 'files or chat')
    .option('--on-conflict <choice>', 'stop, keep-mine, put-back or mark', 'stop')
    .option(
      '--choose <path=choice>',
      'the same for one file; can be given again',
      (given: string, before: readonly string[]) => [...before, given],
      [],
    )
    .option('--include-unsure', 'also move what may not be the turn’s')
    .option('--expect-head <turn>', 'refuse when the session stands elsewhere')
}

function verb(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--session <id>', "a session's id; default: the project's newest")
    .option('--project <dir>', 'the project; default: this directory or the nearest above')
    .option('--json', 'print one JSON object')
    .exitOverride()
}

async function within(
  flags: CommonFlags,
  act: (context: Context) => void | Promise<void>,
): Promise<void> {
  using context = openContext(flags)
  await act(context)
}
