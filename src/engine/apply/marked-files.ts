import type { Contents, Plan } from '#timeline'
import type { OperationDetails } from '../project/index.ts'

/** Where the user has to edit: a file with conflict markers does not work as it is. */
export function markedIn({ files }: Plan, contents: Contents): Pick<OperationDetails, 'marked'> {
  const marked = files.flatMap(({ path, chosen, post }) => {
    if (chosen !== 'mark' || post.kind !== 'file') return []
    const lines = Buffer.from(contents.bytes(post.content)).toString('latin1').split('\n')
    const at = lines.findIndex((line) => line.startsWith('<<<<<<< '))
    return at < 0 ? [] : [{ path, line: at + 1 }]
  })
  return marked.length === 0 ? {} : { marked }
}
