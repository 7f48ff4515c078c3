/** What users and programs build on (docs/stability.md), as data that two versions can compare. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { program } from '../../src/cli/program.ts'
import { FAILURE_CODES } from '../../src/failure-codes.ts'
import { routes, streams } from '../../src/protocol/routes.ts'
import manifest from '../../package.json' with { type: 'json' }

export interface Surface {
  readonly version: string
  /** The options of each command, with the command's own arguments. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  readonly codes: readonly string[]
  readonly routes: readonly string[]
  /** The commands of the plugin. */
  readonly plugin: readonly string[]
  readonly schemas: Readonly<Record<string, unknown>>
}

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)

export function readSurface(): Surface {
  const schemas = readdirSync(at('docs/schemas')).map((name) => {
    const schema = JSON.parse(readFileSync(at(`docs/schemas/${name}`), 'utf8')) as { $id: string }
    return [schema.$id, schema] as const
  })
  const served = [...Object.values(routes), ...Object.values(streams)]
  return {
    version: manifest.version,
    commands: Object.fromEntries(commandsBelow(program(), '')),
    codes: [...FAILURE_CODES],
    routes: served.map((route) => route.slice(0, 2).join(' ')).toSorted(),
    plugin: readdirSync(at('plugins/retake/commands')).toSorted(),
    schemas: Object.fromEntries(schemas),
  }
}

function commandsBelow(command: Command, above: string): [string, string[]][] {
  return command.commands.flatMap((each): [string, string[]][] => {
    const name = `${above}${each.name()}`
    const taken = each.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)) // prettier-ignore
    const options = each.options.flatMap(({ long, short }) => [long, short].filter(isGiven))
    return [[name, [...taken, ...options].toSorted()], ...commandsBelow(each, `${name} `)]
  })
}

function isGiven(text: string | undefined | null): text is string {
  return typeof text === 'string'
}
