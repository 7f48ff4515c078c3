import type { BundledPackage } from './bundled-packages.ts'

/** The license texts of all packages. Packages with the same text share it. */
export function licensesText(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ text }) => text)
  const parts = [...byText].map(([text, all]) => {
    const names = all.map(({ name, version, license }) => `${name} ${version} (${license})`)
    return `${names.join('\n')}\n\n${text}\n`
  })
  const line = `\n${'-'.repeat(80)}\n\n`
  return ['Retake contains code of these packages.\n', ...parts].join(line)
}
