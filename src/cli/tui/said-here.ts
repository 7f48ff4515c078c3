const WORDS: readonly (readonly [RegExp, string])[] = [
  [/`retake op undo \d+` takes this back\./g, 'o lists it; u there takes it back.'],
  [/Run `retake branches` to see which there are\./g, 'b shows which there are.'],
  [/Run `retake op log` to see which there are\./g, 'o shows which there are.'],
  [/`retake undo --include-unsure` takes (it|them) back too\./g, 'u and then i takes $1 back too.'],
  [/`--include-unsure` takes (it|them) too\./g, 'i takes $1 too.'],
  [/`retake redo` brings it back\./g, 'r, or /redo, brings it back.'],
  [/`retake ((?:undo|redo|rewind|back|switch|branch|checkpoint|show|compare)\b[^`]*)`/g, '/$1'],
]

/** What the command line says about itself is said of keys and commands here. */
export function saidHere(text: string): string {
  return WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), text)
}
