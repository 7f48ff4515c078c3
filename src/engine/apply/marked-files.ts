import type { Contents, Plan } from '#timeline'
import { markedWarning } from '../plan/index.ts'
import type { OperationDetails } from '../project/index.ts'

/**
 * Where the user has to edit: a file with conflict markers does not work as it is. Returns the
 * plan's other warnings with it, so that a receipt names such a file once.
 */
export function markedIn(
  { files }: Plan,
  contents: Contents,
  all: readonly string[],
): Pick<OperationDetails, 'marked' | 'warnings'> {
  const marked = files.flatMap(({ path, chosen, post }) => {
    if (chosen !== 'mark' || post.kind !== 'file') return []
    const lines = Buffer.from(contents.bytes(post.content)).toString('latin1').split('\n')
    const at = lines.findIndex((line) => line.startsWith('<<<<<<< '))
    return at < 0 ? [] : [{ path, line: at + 1 }]
  })
  const warnings = all.filter((said) => marked.every(({ path }) => said !== markedWarning(path)))
  return {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(marked.length === 0 ? {} : { marked }),
  }
}
