import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BundledPackage } from './bundled-packages.ts'

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
}

/** What the published package contains, as CycloneDX. Checksums are those of the lockfile. */
export function makeSbom(root: string, packages: readonly BundledPackage[]): object {
  const {
    name,
    version,
    license,
    optionalDependencies = {},
  } = readJson(join(root, 'package.json')) as BundledPackage & {
    optionalDependencies?: Readonly<Record<string, string>>
  }
  const { packages: locked } = readJson(join(root, 'package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', ...component({ name, version, license }) } },
    components: [
      ...packages.map((each) => ({
        type: 'library',
        ...component(each),
        ...hashesOf(locked[each.directory]),
      })),
      // npm installs these beside Retake, on the systems that they are for.
      ...Object.keys(optionalDependencies).map((optional) => {
        const { version = '', license = '', ...rest } = locked[`node_modules/${optional}`]!
        return {
          type: 'library',
          scope: 'optional',
          ...component({ name: optional, version, license }),
          ...hashesOf(rest),
        }
      }),
    ],
  }
}

function component({
  name,
  version,
  license,
}: Pick<BundledPackage, 'name' | 'version' | 'license'>) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] }
}

function hashesOf(locked: Locked | undefined): { hashes?: readonly object[] } {
  const sum = locked?.integrity?.match(/^sha512-(.+)$/)?.[1]
  if (sum === undefined) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }] }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
