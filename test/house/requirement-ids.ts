/** The ids in test names, and the files that explain them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const REQUIREMENTS = 'test/REQUIREMENTS.md'
const EXPLAINED_IN = [
  REQUIREMENTS,
  'src/timeline/SPEC.md',
  'src/journal/journal.ts',
  'src/agents/claude-code/hooks/install-line.ts',
  'src/agents/hook-settings/edit-hooks.ts',
  'src/agents/claude-code/chain/resume.ts',
]

/** Product requirements; each needs a test. */
export function requirementIds(): string[] {
  return idsIn(REQUIREMENTS).filter((id) => /^[GWFUB]\d/.test(id))
}

export function explainedIds(): string[] {
  return EXPLAINED_IN.flatMap(idsIn)
}

/** The ids in a test name. Words such as `[house]` are not ids. */
export function idsNamed(name: string): string[] {
  return [...name.matchAll(/\[((?:sem\.)?[A-Z]{1,2}\d+)\]/g)].map(([, id]) => id!)
}

/** An id is explained in the first cell of a table row, or as the first word of a comment line. */
function idsIn(path: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
  return [...text.matchAll(/^ ?(?:\||\*|\/\/) *((?:sem\.)?[A-Z]{1,2}\d+)\b/gm)].map(([, id]) => id!)
}
