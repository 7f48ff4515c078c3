import { readdirSync, statSync } from 'node:fs'
import { fileSteps, type Agent, type SessionFile } from '#agents'
import { identityOf, statPath } from '#disk'
import { NAME, openToy } from './toy-session.ts'

/**
 * A small agent with one file per session, no hooks and no process list. It proves that other rooms
 * use agents only through the port.
 */
export function toy(directory: string): Agent {
  const root = `${directory}/sessions`
  const describe = (id: string): SessionFile | null => {
    const path = `${root}/${id}.toy`
    const stat = /^ses_\w+$/.test(id) ? statPath(path) : null
    if (stat === null) return null
    return { agent: NAME, id, path, identity: identityOf(stat), bornAt: new Date(Number(stat.birthtimeMs)) } // prettier-ignore
  }
  const names = (): string[] => {
    if (statSync(root, { throwIfNoEntry: false }) === undefined) return []
    return readdirSync(root).filter((name) => name.endsWith('.toy'))
  }
  const list = (): SessionFile[] => names().flatMap((name) => describe(name.slice(0, -4)) ?? [])
  return {
    name: NAME,
    words: {
      name: 'Toy',
      short: 'Toy',
      program: 'toy',
      resume: 'toy --go-on {session}',
      leave: 'bye',
      switchTo: 'go {session}',
      typed: 'retake ',
      removePlugin: null,
      addTools: null,
    },
    directories: [{ name: 'toyDirectory', path: directory, variable: 'TOY_DIRECTORY' }],
    sessions: {
      list: (directories) =>
        list().filter(
          (file) =>
            directories === undefined ||
            directories.includes(openToy(directory, file).summary.project ?? ''),
        ),
      listBelow: (above) =>
        list().filter((file) =>
          `${openToy(directory, file).summary.project}/`.startsWith(`${above}/`),
        ),
      find: describe,
      related: (project) => [project],
      canBeginWith: (text) => 'ses_'.startsWith(text.slice(0, 4)),
      rescuedId: (_, uuid) => `ses_${uuid.replaceAll('-', '')}`,
      idFrom: (uuid) => `ses_${uuid.replaceAll('-', '')}`,
      belongings: ({ path }) => [{ role: 'transcript', path }],
      pathInSession: (path, from, to) => path.replace(from, to),
      watch: () => ({ directories: () => [root], poll: () => [] }),
      addedSince: (_, from) => from,
      hasElsewhere: () => false,
      cacheName: 'toy.db',
      indexFormat: { version: 1, schema: 'create table nothing (n integer) strict;' },
      openIndex: () => ({
        summaries: (files) => files.map((file) => openToy(directory, file).summary),
        open: (file) => openToy(directory, file),
      }),
    },
    live: () => null,
    steps: fileSteps,
    overwritesMoves: false,
    capture: null,
    runner: null,
    versions: {
      isMeasured: () => true,
      openProofs: () => ({ of: () => null, prove: async () => 'no-trial' }),
    },
  }
}
