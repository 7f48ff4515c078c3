/** Enough of a random id to tell a few thousand apart. */
const USUAL = 8
/** With a time to the millisecond; ids of one minute share the first eight digits. */
const WITH_TIME = 13

/** The beginning of an id, long enough to differ from others. A UUIDv7 begins with its time. */
export function shortId(id: string): string {
  const beginsWithTime = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-/.test(id)
  return id.slice(0, beginsWithTime ? WITH_TIME : USUAL)
}
