/** Builds dist/: the command line, the page, and what they contain of other packages. */
import { rm, writeFile } from 'node:fs/promises'
import { buildPage } from './build-page.ts'
import { writeBundle } from './bundle.ts'
import { readBundledPackages } from './bundled-packages.ts'
import { licensesText } from './licenses-text.ts'
import { makeSbom } from './make-sbom.ts'

const root = process.cwd()
await rm('dist', { recursive: true, force: true })
// Tailwind writes its reset styles into the page's stylesheet, which has no list of inputs.
const inputs = new Set([...(await writeBundle(root)), 'node_modules/tailwindcss/preflight.css'])
await buildPage(inputs)
const packages = readBundledPackages(root, inputs)
await writeFile('dist/LICENSES.txt', licensesText(packages))
await writeFile('dist/sbom.cdx.json', `${JSON.stringify(makeSbom(root, packages), null, 2)}\n`)
