/** Builds dist/: the command line and the page. */
import { rm } from 'node:fs/promises'
import { buildPage } from './build-page.ts'
import { writeBundle } from './bundle.ts'

await rm('dist', { recursive: true, force: true })
await writeBundle(process.cwd())
await buildPage()
