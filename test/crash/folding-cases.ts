import type { Case } from './cases.ts'

/** `é` as one character, and as a letter with an accent. */
const [COMPOSED, DECOMPOSED] = ['\u00e9', 'e\u0301']

/** Operations that change only the spelling of names, for volumes that fold names. */
export function foldingCases(run: number): Case[] {
  const text = (name: string) => ({ file: `${name} of run ${run}\n` })
  return [
    { name: 'Foo becomes foo', before: { Foo: text('same') }, after: { foo: text('same') } },
    {
      name: 'Foo becomes foo with other content, beside a file that stays',
      before: { 'a/Foo': text('old'), 'a/stays': text('stays') },
      after: { 'a/foo': text('new'), 'a/stays': text('stays') },
    },
    {
      name: 'a name in one Unicode form gets the other',
      before: { [`${COMPOSED}.md`]: text('same') },
      after: { [`${DECOMPOSED}.md`]: text('same') },
    },
    {
      name: 'two files swap their spellings and contents',
      before: { Foo: text('one'), bar: text('two') },
      after: { foo: text('two'), BAR: text('one') },
    },
    {
      name: 'a directory is renamed by case, with a file of the user in it',
      before: { 'src/a': text('a'), 'src/deep/b': text('b'), 'src/mine': text('mine') },
      after: { 'Src/a': text('a'), 'Src/deep/b': text('b'), 'Src/mine': text('mine') },
      left: ['src/mine', 'Src/mine'],
    },
    {
      name: 'a directory and one below it are renamed by case, and a file goes',
      before: { 'src/sub/a': text('a'), 'src/b': text('b') },
      after: { 'Src/Sub/a': text('new a') },
    },
    {
      name: 'a directory becomes a file in another spelling',
      before: { 'cfg/x': text('x') },
      after: { Cfg: text('file') },
    },
    {
      name: 'a file becomes a directory in another spelling',
      before: { cfg: text('file') },
      after: { 'Cfg/x': text('x') },
    },
  ]
}
