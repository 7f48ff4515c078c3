import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { cli } from '../scene.ts'
import { blocksOf } from './document.ts'
import { openShop } from './run-document.ts'
import { isSameText } from './same-text.ts'

test('[W21] the picture in docs/terminal.md is what `retake tui` draws', async () => {
  const picture = blocksOf('docs/terminal.md').find(({ kind }) => kind === 'text')
  await using shop = await openShop()
  const terminal = new Terminal(shop.s, {
    command: [process.execPath, cli, 'tui'],
    cwd: shop.project,
    env: { ...shop.env, NO_COLOR: '1' },
    rows: 13,
    columns: 84,
  })
  const shown = (): string => terminal.screen().replaceAll(/ +$/gm, '')
  await terminal.waitFor(/\(current\)/)
  await expect
    .poll(() => (isSameText(picture!.text, shown()) ? picture!.text : shown()))
    .toBe(picture!.text)
  await terminal.key('ctrl-c')
  expect(await terminal.ended()).toBe(0)
})
