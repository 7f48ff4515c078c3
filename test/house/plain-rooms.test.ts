import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Below the surfaces, no sentence names a command or a flag: a remedy has acts instead. */
const ROOMS = [
  'agents',
  'disk',
  'engine',
  'journal',
  'protocol',
  'server',
  'snapshots',
  'store',
  'timeline',
]

/** Arguments of other programs, and texts that no user reads. */
const ALLOWED: readonly (readonly [file: string, text: string])[] = [
  ['agents/claude-code/adapter/words.ts', 'claude --resume {session}'],
  ['agents/claude-code/adapter/words.ts', 'claude mcp add retake'],
  ['agents/claude-code/run/replace-options.ts', ''], // Claude Code's own options
  ['agents/claude-code/run/restart-arguments.ts', ''],
  ['agents/claude-code/session/added-directories.ts', "'--add-dir'"],
  ['agents/claude-code/trial/probe.ts', "['--version']"],
  ['agents/claude-code/trial/probe.ts', "'--resume', session.id, '--output-format'"],
  ['agents/codex/adapter/words.ts', '-- retake mcp'],
  ['disk/small-heap.ts', '--semi-space-growth-factor'],
  ['engine/apply/reopen.ts', "'--after'"],
  ['engine/hooks/launcher.ts', '# Written by `retake install --launcher`'],
  ['engine/hooks/shell-alias.ts', 'retake claude'], // a line for the user's shell
  ['engine/plan/left-attributes.ts', "'--absolute-names'"],
  ['engine/setup/agent-version.ts', "['--version']"],
  ['engine/setup/examine.ts', '--version'],
  ['engine/witness/git-moves.ts', 'git reset --'],
  ['engine/witness/left-alone.ts', 'git worktree remove --force'],
  ['protocol/act-words.ts', '--on-conflict keep-mine'],
  ['server/access/browsers.ts', "'retake sign-in'"],
  ['timeline/data/reads-only.ts', 'WRITING_OPTION'],
]

function findNamings(file: string): string[] {
  const code = readFileSync(join(source, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
  return code
    .split('\n')
    .filter((line) => /\bretake [a-z]|--[a-z]/.test(line))
    .filter((line) => !ALLOWED.some(([at, text]) => at === file && line.includes(text)))
    .map((line) => `${file}: ${line.trim()}`)
}

test('no sentence below the command line names a command or a flag', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test(ing)?\.ts$/.test(path))
      .map((path) => `${room}/${path}`),
  ).filter((path) => path !== 'server/http/page.ts') // CSS variables
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap(findNamings)).toEqual([])
})
