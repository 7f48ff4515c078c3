import { delimiter, resolve } from 'node:path'
import { statPath } from '#disk'

/**
 * The path of a program that was started by a name. On Linux without /proc, Node knows only the name
 * under which it was started itself, and for another PATH that may be an older Node.
 */
export function absoluteProgram(name: string, path: string): string {
  if (name.includes('/')) return resolve(name)
  const found = path.split(delimiter).map((directory) => resolve(directory, name))
  return found.find((each) => statPath(each)?.isFile() === true) ?? name
}
