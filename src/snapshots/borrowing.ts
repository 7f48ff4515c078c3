import type { ScanStat } from '#disk'
import type { ContentId } from '#timeline'

/** Contents that the user's git already holds, so that they need not be copied (sem.K3). */
export interface Borrowing {
  /** The id of a file that git's index knows to be as it is on the disk; else null. */
  trust(path: string, stat: ScanStat): ContentId | null
  /** Whether git's index has this very content at this path, and its objects hold it. */
  offers(path: string, id: ContentId): boolean
  /** The bytes of an object, checked against its id; null when git does not have it any more. */
  read(id: ContentId): Buffer | null
}
