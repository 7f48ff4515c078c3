/**
 * The memory that a process needs to watch a project: `watch-memory.ts REPO DATA` prints its MB
 * before and after the first scan, when it watches every directory. In its own process, because
 * memory used earlier is not returned to the system.
 */
import { durableDisk, nameBytes, pinRoot } from '#disk'
import { openProject, watchProject } from '#snapshots'
import { openStore } from '#store'

const [repo, data] = process.argv.slice(2)
const before = resident()
const stat = durableDisk.stat(nameBytes(repo!))!
using store = openStore({ data: data!, root: { path: repo!, stat }, disk: durableDisk })
const root = pinRoot(durableDisk, repo!)
const project = openProject({ store, root, gitSettings: { configs: [], attributes: [] } })
using watch = watchProject(project)
await watch.observe()
console.log(JSON.stringify({ before, after: resident() }))
root.close()

function resident(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}
