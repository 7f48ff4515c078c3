import { splitPath } from '../words.ts'

/**
 * A path that is cut at its beginning when there is little room: the file's name is what people
 * look for. Written from the right, so that the cut is on the left; the text itself stays one.
 */
export function PathText({ path }: { path: string }) {
  const { directory, name } = splitPath(path)
  return (
    <span title={path} className="block min-w-0 truncate text-left font-mono [direction:rtl]">
      <bdi dir="ltr">
        <span className="text-muted">{directory}</span>
        <span data-file-name>{name}</span>
      </bdi>
    </span>
  )
}
