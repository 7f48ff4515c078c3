import { measuredVersions as claudeVersions } from '../../src/agents/claude-code/move/versions.ts'
import {
  isMeasured,
  measuredVersions as codexVersions,
} from '../../src/agents/codex/move/versions.ts'
import { fetchClaudeCode, fetchCodex } from './fetch-agent.ts'

/** An agent whose versions `npm run test:versions` can try. */
export interface TestedAgent {
  readonly id: string
  readonly versions: readonly string[]
  readonly tests: (version: string) => readonly string[]
  readonly fetch: (version: string) => string
  readonly env: (binary: string) => Readonly<Record<string, string>>
}

/** Their sessions are read, and continue in new ones. */
const OLD_CODEX = ['0.125.0', '0.130.0', '0.140.0']

export const agents: readonly TestedAgent[] = [
  {
    id: 'claude-code',
    // `npm test` already covers the version that `npm ci` installs.
    versions: claudeVersions.slice(0, -1),
    tests: () => ['test/matrix/matrix.test.ts'],
    fetch: fetchClaudeCode,
    env: (binary) => ({ TEST_CLAUDE: binary, MATRIX: 'whole', LONG: '1' }),
  },
  {
    id: 'codex',
    versions: [...OLD_CODEX, ...codexVersions],
    tests: (version) =>
      isMeasured(version)
        ? ['test/agents/codex.test.ts', 'test/codex', 'test/codex-live']
        : ['test/codex/busy.test.ts'],
    fetch: fetchCodex,
    env: (binary) => ({ TEST_CODEX: binary }),
  },
]
