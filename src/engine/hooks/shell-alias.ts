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
  const text = readSmallFile(startupFile, MAX_BYTES)?.toString('utf8') ?? ''
  const isThere = text.split('\n').some((line) => line.trim() === LINE)
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
