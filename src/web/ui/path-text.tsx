import { splitPath } from '../words.ts'

/**
 * A path that is cut at its start if space is short, because users look for the file's name.
 * Right-to-left direction puts the cut on the left; the text itself stays left to right.
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
