/** What the command line says about itself is said of requests here. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /Choose with `--on-conflict keep-mine`, `put-back` or `mark`\./g,
    'Send `choices` with POST /api/plans/PLAN/apply: for each file keep-mine, put-back or mark.',
  ],
  [/`--only (chat|files)`/g, '`"only": "$1"`'],
  [/`--yes`/g, '`"confirmed": true`'],
  [/`--(whole|exact)`/g, '`"$1": true`'],
  [/`--keep-prompt`/g, '`"keepPrompt": true`'],
]

export function saidThere(text: string): string {
  return WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), text)
}
