import { execFileSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Machine } from './measured.ts'

/** By the kernel's numbers. */
const FILE_SYSTEMS: Readonly<Record<string, string>> = {
  ef53: 'ext4',
  '58465342': 'xfs',
  '9123683e': 'btrfs',
  '1021994': 'tmpfs',
  '794c7630': 'overlay',
  '2fc12fc1': 'zfs',
  '1a': 'apfs',
}

/** The machine of the measurement, without anything that identifies it or its owner. */
export function readMachine(directory: string): Machine {
  const kind = (statfsSync(directory).type >>> 0).toString(16)
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGB: Math.round(totalmem() / 2 ** 30),
    // Without suffixes of a distribution or host.
    system: `${type()} ${release().split('-', 1)[0]}`,
    fileSystem: FILE_SYSTEMS[kind] ?? `of kind 0x${kind}`,
  }
}

export function readVersions(): Record<string, string> {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' })
  return {
    Retake: manifestOf('../package.json').version,
    Node: process.versions.node,
    SQLite: process.versions['sqlite'] ?? 'unknown',
    git: /[\d.]+\d/.exec(git)?.[0] ?? 'unknown',
    'Claude Code':
      manifestOf('../node_modules/@anthropic-ai/claude-agent-sdk/package.json').claudeCodeVersion ??
      'unknown',
  }
}

function manifestOf(path: string): { version: string; claudeCodeVersion?: string } {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
  return JSON.parse(text) as { version: string; claudeCodeVersion?: string }
}
