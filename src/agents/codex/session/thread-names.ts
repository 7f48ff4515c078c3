import { readSmallFile } from '#disk'
import { field, string } from '../rows/index.ts'
import { parseObject } from '../../parse-object.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** The names that users gave to threads, by id. The newest line about a thread counts. */
export function readThreadNames(home: string): ReadonlyMap<string, string> {
  const bytes = readSmallFile(`${home}/session_index.jsonl`, MAX_BYTES)
  const names = new Map<string, string>()
  for (const line of bytes?.toString('utf8').split('\n') ?? []) {
    const entry = line === '' ? null : parseObject(line)
    const [id, name] = [string(field(entry, 'id')), string(field(entry, 'thread_name'))]
    if (id === null || name === null) continue
    if (name === '') names.delete(id)
    else names.set(id, name)
  }
  return names
}
