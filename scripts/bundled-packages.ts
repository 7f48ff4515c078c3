import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package whose code is in dist/. Its license requires that its text ships with the code. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** The SPDX expression that the package states. */
  readonly license: string
  /** The license files of the package, one after the other. */
  readonly text: string
  /** Its directory, relative to the repository. */
  readonly directory: string
}

/**
 * Packages under the MIT license that ship without its text, and their copyright lines: from the
 * LICENSE of their repository, and for Yoga also from its sources. Hono's repository has none; its
 * READMEs name the author.
 */
const MIT_WITHOUT_FILE: Readonly<Record<string, string>> = {
  '@hono/zod-openapi': 'Copyright (c) Yusuke Wada and Hono contributors',
  '@hono/zod-validator': 'Copyright (c) Yusuke Wada and Hono contributors',
  'react-remove-scroll-bar': 'Copyright (c) 2025 Anton Korzunov <thekashey@gmail.com>',
  'yoga-layout':
    'Copyright (c) Facebook, Inc. and its affiliates.\nCopyright (c) Meta Platforms, Inc. and affiliates.',
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** The packages that the modules belong to, each once, by name. */
export function readBundledPackages(root: string, modules: Iterable<string>): BundledPackage[] {
  const directories = new Set([...modules].flatMap((path) => directoryOf(path) ?? []))
  return [...directories].map((directory) => readPackage(root, directory)).toSorted(byName)
}

/** `/x/node_modules/a/node_modules/@b/c/index.js` → `node_modules/a/node_modules/@b/c` */
function directoryOf(module: string): string | null {
  return (
    /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? null
  )
}

function readPackage(root: string, directory: string): BundledPackage {
  const path = join(root, directory)
  const { name, version, license } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string }
  const text = readTexts(path) ?? mitText(root, name, license)
  if (license === undefined || text === null)
    throw new Error(`${name} ${version} is bundled, but has no license text (${license}).`)
  return { name, version, license, text, directory }
}

function readTexts(path: string): string | null {
  const files = readdirSync(path).filter((file) => LICENSE_FILE.test(file))
  if (files.length === 0) return null
  const texts = files.toSorted().map((file) => readFileSync(join(path, file), 'utf8').trim())
  return texts.join('\n\n')
}

function mitText(root: string, name: string, license: string | undefined): string | null {
  const copyright = MIT_WITHOUT_FILE[name]
  if (license !== 'MIT' || copyright === undefined) return null
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  return own.replace(/^Copyright .*$/m, copyright)
}

function byName(a: BundledPackage, b: BundledPackage): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1
}
