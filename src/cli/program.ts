import { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { addBranches } from './commands/branch-verbs.ts'
import { addStorage } from './commands/storage-verbs.ts'
import { addChanges } from './commands/change-verbs.ts'
import { addChat } from './commands/chat-verbs.ts'
import { addClaude } from './commands/claude-verbs.ts'
import { addCompletion } from './commands/completion-verbs.ts'
import { addDoctor } from './commands/doctor-verbs.ts'
import { addHistory } from './commands/history-verbs.ts'
import { addInside } from './commands/inside-verbs.ts'
import { addInstall } from './commands/install-verbs.ts'
import { addProject } from './commands/project-verbs.ts'
import { addReads } from './commands/read-verbs.ts'
import { addSearch } from './commands/search-verbs.ts'
import { addSessions } from './commands/session-verbs.ts'
import { addServe } from './commands/serve-verbs.ts'
import { addStash } from './commands/stash-verbs.ts'
import { addTui } from './commands/tui-verbs.ts'
import { examples, examplesText } from './text/examples.ts'
import { visible } from './visible.ts'

const EXAMPLES = `Examples:
  retake                         start the server and open its page
  retake tui                     the same in the terminal
  retake undo                    undo the last turn, files and conversation
  retake undo 3 --dry-run        show what undoing three turns would do
  retake redo                    redo it
  retake log                     list the turns of the newest session here
  retake show 3                  show turn 3 with its diffs
  retake tree                    show the branches, and where you are
  retake switch main             switch branch, files and conversation
  retake claude                  Claude Code, reopened by undo at the earlier turn
  retake doctor                  check the installation
`

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 usage, 4 conflict (nothing changed), 5 busy or locked,
6 not found, 130 interrupted.`

/** The verbs of each group, in the order of the help. */
const GROUPS: readonly (readonly [add: (program: Command) => void, verbs: readonly string[]])[] = [
  [addSessions, ['sessions']],
  [addReads, ['log', 'show', 'tree', 'status']],
  [addSearch, ['search']],
  [addChanges, ['undo', 'redo', 'back', 'rewind', 'revert', 'restore']],
  [addBranches, ['switch', 'branches', 'branch', 'checkpoint', 'checkpoints']],
  [addStash, ['stash', 'compare']],
  [addHistory, ['diff', 'where', 'check', 'op']],
  [addChat, ['chat']],
  [addClaude, ['claude']],
  [addInstall, ['install', 'observe', 'uninstall']],
  [addInside, ['hook', 'reopen', 'mcp']],
  [addStorage, ['gc', 'forget', 'purge', 'rescue', 'settings']],
  [addProject, ['project']],
  [addServe, ['demo', 'serve']],
  [addTui, ['tui']],
  [addDoctor, ['doctor']],
  [addCompletion, ['completion']],
]

/**
 * Builds the command line. If the first word is a verb, it adds only that verb's group: building
 * all groups takes as long as a short verb itself.
 */
export function program(first?: string): Command {
  const program = new Command('retake')
  program
    .description('Undo, redo and branches for coding-agent sessions.')
    .version(packageJson.version, '-V, --version')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', EXIT_CODES)
    .showSuggestionAfterError()
    .showHelpAfterError('Hint: Run `retake --help` for the list of commands.')
    .configureOutput({ outputError: (text, write) => write(visible(sentenceOf(text))) })
    // Options after an inner verb, as in `stash restore 3 --json`, belong to the inner verb.
    .enablePositionalOptions()
    .exitOverride()
  const group = GROUPS.find(([, verbs]) => first !== undefined && verbs.includes(first))
  for (const [add] of group === undefined ? GROUPS : [group]) add(program)
  for (const command of program.commands) addExamples(command, '')
  return program
}

/** Words a parse error like every other failure. */
function sentenceOf(text: string): string {
  const [first = '', ...more] = text.replace(/^error: /, '').split('\n')
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`
  return [/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ...more].join('\n')
}

function addExamples(command: Command, outer: string): void {
  const name = `${outer}${command.name()}`
  if (name in examples) command.addHelpText('before', () => examplesText(name))
  for (const inner of command.commands) addExamples(inner, `${name} `)
}
