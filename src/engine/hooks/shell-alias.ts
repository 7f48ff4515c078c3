import { appendText, readSmallFile } from '#disk'
import { Failure } from '#failure'

/** A line for the user's shell startup file that makes `claude` run `retake claude`. */
export interface AliasPlan {
  readonly path: string
  readonly line: string
  readonly change: 'add' | 'none'
  apply(): void
}

const MAX_BYTES = 4 * 1024 * 1024

/** The same in bash, zsh and fish. */
const LINE = "alias claude='retake claude'"

export function planAlias(startupFile: string | null): AliasPlan {
  if (startupFile === null)
    throw new Failure('usage', 'Retake knows the startup files of bash, zsh and fish only.', {
      hint: `In your own shell, let \`claude\` run \`retake claude\`.`,
    })
  const text = readText(startupFile)
  const isThere = hasLine(text)
  const before = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    path: startupFile,
    line: LINE,
    change: isThere ? 'none' : 'add',
    apply() {
      if (!isThere) appendText(startupFile, `${before}${LINE}\n`)
    },
  }
}

/** The line, and the startup files that have it. */
export function findAlias(startupFiles: readonly string[]): {
  readonly line: string
  readonly paths: readonly string[]
} {
  return { line: LINE, paths: startupFiles.filter((path) => hasLine(readText(path))) }
}

function readText(path: string): string {
  return readSmallFile(path, MAX_BYTES)?.toString('utf8') ?? ''
}

function hasLine(text: string): boolean {
  return text.split('\n').some((line) => line.trim() === LINE)
}
