import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'
import type { StorageFlags } from './storage.ts'

const loadStorage = async () => (await import('./implementations.ts')).storage
const loadForget = async () => (await import('./implementations.ts')).forget
const loadSettings = async () => (await import('./implementations.ts')).settings

/** Verbs about Retake's stored data and the settings. */
export function addStorage(program: Command): void {
  asking(
    program,
    'gc',
    'delete unreferenced contents and operations past the retention period',
  ).action((flags: CommonFlags & StorageFlags) =>
    withContext(flags, loadStorage, (context, { collectGarbage }) =>
      collectGarbage(context, flags),
    ),
  )
  asking(program, 'forget', 'delete Retake’s copies of a branch for good')
    .argument('<branch>', 'name, or the start of the id')
    .action((branch: string, flags: CommonFlags & StorageFlags) =>
      withContext(flags, loadForget, (context, { forget }) => forget(context, branch, flags)),
    )
  asking(program, 'purge', 'delete all versions of a file that Retake keeps')
    .argument('<path>')
    .action((path: string, flags: CommonFlags & StorageFlags) =>
      withContext(flags, loadForget, (context, { purge }) => purge(context, path, flags)),
    )
  verb(program, 'rescue', 'restore a session whose transcript was deleted or cut')
    .argument('<id>', 'session id, or the start of it')
    .option('--dry-run', 'show what would be written; write nothing')
    .option('-y, --yes', 'do not ask')
    .action((id: string, flags: CommonFlags & StorageFlags) =>
      withContext(flags, loadStorage, (context, { rescue }) => rescue(context, id, flags)),
    )
  const settings = program
    .command('settings')
    .description('show the settings; `set KEY VALUE` changes one')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((flags: CommonFlags) =>
      withContext(flags, loadSettings, (context, { showSettings }) => showSettings(context)),
    )
  settings
    .command('set')
    .description('change one setting')
    .argument('<key>')
    .argument('<value...>', 'sizes as 500MB or 2GB; `include` takes several patterns')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((key: string, words: string[], _: object, command: Command) =>
      withContext(command.optsWithGlobals<CommonFlags>(), loadSettings, (context, { setSetting }) =>
        setSetting(context, key, words),
      ),
    )
}

/** A verb whose effect cannot be undone. */
function asking(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'show what would happen; change nothing')
    .option('-y, --yes', 'do not ask')
}
