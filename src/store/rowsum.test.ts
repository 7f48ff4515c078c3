import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { rowsum } from './rowsum.ts'

test('[R13][FT4] a checksum is the same for an empty blob of the program and of the database', () => {
  using database = new DatabaseSync(':memory:')
  database.function('rowsum', { varargs: true }, rowsum)
  const inDatabase = database.prepare("select rowsum('a', ?, 'b') as sum").get(new Uint8Array())
  expect(inDatabase!['sum']).toBe(rowsum('a', new Uint8Array(), 'b'))
})
