/** The programs that Retake is compared with, by the commands that they run. */
import type { Peer } from './git.ts'
import { opencode } from './opencode.ts'
import { claudeCopy, clineSdk } from './others.ts'
import { cline, gemini, plainGit, roo } from './shadow-git.ts'

export type PeerKey = 'opencode' | 'plain' | 'gemini' | 'cline' | 'clineSdk' | 'roo' | 'claude'

/** Each on the same tree with its own directory; `changed` are the files that the agent edits. */
export async function openPeers(
  repo: string,
  store: string,
  changed: () => readonly string[],
): Promise<Record<PeerKey, Peer>> {
  return {
    opencode: await trying(() => opencode(repo, store)),
    plain: await trying(() => plainGit(repo, store)),
    gemini: await trying(() => gemini(repo, store)),
    cline: await trying(() => cline(repo, store)),
    clineSdk: clineSdk(repo, store),
    roo: await trying(() => roo(repo, store)),
    claude: claudeCopy(repo, store, changed),
  }
}

/** One that cannot be set up fails when it is measured, where the failure is reported. */
async function trying(open: () => Promise<Peer>): Promise<Peer> {
  try {
    return await open()
  } catch (error) {
    const fail = (): Promise<never> => Promise.reject(error)
    return { snapshot: fail, restore: fail }
  }
}
