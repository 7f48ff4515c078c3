import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function versionDirectory(agent: string, version: string): string {
  return join(tmpdir(), 'retake-versions', agent, version)
}

/**
 * Unpacks a package of the npm registry and returns its directory. Its scripts do not run. A
 * package that was unpacked before is not fetched again.
 */
export function fetchPackage(directory: string, name: string): string {
  const root = join(directory, 'package')
  if (existsSync(root)) return root
  const part = join(directory, 'part')
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  const [{ filename }] = JSON.parse(npm(part, 'pack', '--json', name)) as [{ filename: string }]
  execFileSync('tar', ['xzf', filename], { cwd: part })
  // Renamed at the end, so that an interrupted run leaves no half package.
  renameSync(join(part, 'package'), root)
  rmSync(part, { recursive: true })
  return root
}

export function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
