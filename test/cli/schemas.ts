import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'

const directory = fileURLToPath(new URL('../../docs/schemas/', import.meta.url))
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
for (const name of readdirSync(directory))
  ajv.addSchema(JSON.parse(readFileSync(join(directory, name), 'utf8')) as object)

/** Parses `--json` output and validates it against the published schema that it names. */
export function parseView<T>(stdout: string): T {
  const view = JSON.parse(stdout) as { schema?: string }
  const validate = ajv.getSchema(String(view.schema).replace('retake.', 'urn:retake:'))
  if (validate === undefined) throw new Error(`no schema is published for ${view.schema}`)
  if (validate(view) !== true)
    throw new Error(`${view.schema}: ${ajv.errorsText(validate.errors)}\n${stdout}`)
  return view as T
}
