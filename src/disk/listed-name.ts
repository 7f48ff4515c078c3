import { errnoOf, isSameFile, type Disk } from './durable-disk.ts'
import { nameText } from './names.ts'

/**
 * The name under which a directory lists what a lookup of `name` finds; null if it finds nothing, or
 * the directory cannot be listed.
 */
export function findListed(
  { disk, at }: { readonly disk: Disk; readonly at: (name: string) => Buffer },
  name: string,
): string | null {
  try {
    const found = disk.stat(at(name))
    if (found === null) return null
    const names = disk.list(at('.')).map(nameText)
    if (names.includes(name)) return name
    const wanted = likeness(name)
    // Hard links have one inode, so the name has to fit too.
    const isIt = (each: string): boolean =>
      likeness(each) === wanted && isSameFile(found, disk.stat(at(each)))
    return names.find(isIt) ?? null
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return null
  }
}

/** Equal for all names that some volume could take for the same. */
export function likeness(name: string): string {
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')
}
