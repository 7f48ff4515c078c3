import { spawn } from 'node:child_process'
import { gitEnvironment } from '../snapshots-tree.ts'

/** How another tool takes a snapshot and restores it: exactly its commands, in its order. */
export interface Peer {
  /** Returns the id of the snapshot. */
  readonly snapshot: () => Promise<string>
  readonly restore?: (id: string) => Promise<void>
}

export interface GitOptions {
  readonly cwd: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** `check-ignore` reports "none" by its exit code. */
  readonly mayFail?: boolean
}

/** Standard output, trimmed. */
export function git(args: readonly string[], options: GitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: options.cwd,
      env: { ...gitEnvironment, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const parts: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout!.on('data', (part: Buffer) => parts.push(part))
    child.stderr!.on('data', (part: Buffer) => errors.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 || options.mayFail === true) resolve(Buffer.concat(parts).toString().trim())
      else reject(new Error(`git ${args.join(' ')}: ${Buffer.concat(errors).toString()}`))
    })
    child.stdin?.end(options.input)
  })
}

export const nulls = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

export const split = (text: string): string[] => text.split('\0').filter(Boolean)
