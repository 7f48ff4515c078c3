import packageJson from '../../package.json' with { type: 'json' }

/** Answers `--version` before it loads anything else, because scripts ask for it first. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const said = versionFor(argv)
  if (said !== null) return void process.stdout.write(`${said}\n`)
  if (argv[0] === 'observe') {
    const { run } = await import('./run-observe.ts')
    if (await run(argv)) return
  }
  const { run } = await import('./run-command.ts')
  await run(argv)
}

/** Null if more than the version is wanted. */
function versionFor(argv: readonly string[]): string | null {
  const words = argv.filter((word) => word !== '--json')
  if (words.length !== 1 || (words[0] !== '--version' && words[0] !== '-V')) return null
  const { version } = packageJson
  if (words.length === argv.length) return version
  const { platform, arch, versions } = process
  return JSON.stringify({
    schema: 'retake.version/1',
    version,
    node: versions.node,
    platform,
    arch,
  })
}
