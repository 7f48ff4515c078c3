import type { Tree } from '../verifier/tree.ts'

/**
 * One operation: the tree before and after, and what is appended to the transcript. A transcript
 * that is null before is created, one that is null after is removed.
 */
export interface Case {
  readonly name: string
  readonly before: Tree
  readonly after: Tree
  /** Directories that the operation may remove. */
  readonly remove?: readonly string[]
  /** Files that the operation does not name, although their directory gets another name. */
  readonly left?: readonly string[]
  readonly transcript?: {
    readonly before: string | null
    readonly append: string
    readonly after: string | null
  }
}

/** `run` is part of every content, so that no run finds its bytes already in the store. */
export function cases(run: number): Case[] {
  const text = (name: string) => ({ file: `${name} of run ${run}\n` })
  return [
    { name: 'create in new directories', before: {}, after: { 'new/deep/a': text('a') } },
    { name: 'replace', before: { 'src/a': text('old') }, after: { 'src/a': text('new') } },
    {
      name: 'replace two, one in the root',
      before: { a: text('old a'), 'src/b': text('old b') },
      after: { a: text('new a'), 'src/b': text('new b') },
    },
    {
      name: 'delete, and the directory with it',
      before: { 'made/a': text('old'), made: { directory: 0o700 } },
      after: {},
      remove: ['made'],
    },
    {
      name: 'mode alone',
      before: { 'run.sh': { ...text('script'), mode: 0o644 } },
      after: { 'run.sh': { ...text('script'), mode: 0o755 } },
    },
    {
      name: 'symlinks, and a file that becomes one',
      before: { link: { link: 'a' }, file: text('was a file') },
      after: { link: { link: '../../b' }, file: { link: 'nowhere' } },
    },
    {
      name: 'a file becomes a directory',
      before: { cfg: text('file') },
      after: { 'cfg/x': text('x') },
    },
    {
      name: 'a directory becomes a file, with the conversation',
      before: { 'cfg/sub/y': text('y') },
      after: { cfg: text('file') },
      transcript: {
        before: `{"run":${run}}\n`,
        append: `{"undo":${run}}\n`,
        after: `{"run":${run}}\n{"undo":${run}}\n`,
      },
    },
    { name: 'Foo becomes foo', before: { Foo: text('same') }, after: { foo: text('same') } },
    {
      name: 'a file with the conversation',
      before: { a: text('old') },
      after: { a: text('new') },
      transcript: {
        before: `{"run":${run}}\n`,
        append: `{"undo":${run}}\n{"pointer":${run}}\n`,
        after: `{"run":${run}}\n{"undo":${run}}\n{"pointer":${run}}\n`,
      },
    },
    {
      name: 'the conversation alone, after a torn line',
      before: {},
      after: {},
      transcript: {
        before: `{"run":${run}}\n{"to`,
        append: `{"undo":${run}}\n`,
        after: `{"run":${run}}\n{"to\n{"undo":${run}}\n`,
      },
    },
    {
      name: 'a new session, with a file',
      before: { a: text('old') },
      after: { a: text('new') },
      transcript: { before: null, append: '', after: `{"branch":${run}}\n` },
    },
    {
      name: 'a session goes, and a file comes back',
      before: { a: text('new') },
      after: { a: text('old') },
      transcript: { before: `{"branch":${run}}\n`, append: '', after: null },
    },
  ]
}

/** Files of the project that no operation concerns. */
export const bystanders: Tree = {
  'keep/other.txt': { file: 'not mine to touch\n' },
  '.git/config': { file: '[core]\n' },
  'keep/link': { link: 'other.txt' },
}
