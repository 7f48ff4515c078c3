import packageJson from '../../package.json' with { type: 'json' }

/** Answers `--version` before it loads anything else, because scripts ask for it first. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
    return void process.stdout.write(`${packageJson.version}\n`)
  if (argv[0] === 'observe') {
    const { run } = await import('./run-observe.ts')
    if (await run(argv)) return
  }
  const { run } = await import('./run-command.ts')
  await run(argv)
}
