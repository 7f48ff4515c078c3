import { rolloutName } from '../rows/index.ts'

/** Where the agent would put a rollout that begins now: by the day, in local time. */
export function newRolloutPath(
  home: string,
  ids: { readonly thread: string; readonly rollout: string },
  at: Date,
): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const [month, day] = [two(at.getMonth() + 1), two(at.getDate())]
  const year = at.getFullYear()
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('-')
  const stamp = `${year}-${month}-${day}T${time}`
  return `${home}/sessions/${year}/${month}/${day}/${rolloutName({ stamp, ...ids })}`
}

/** The agent sorts rollouts by their ids, which begin with the time. */
export function timedId(uuid: string, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`
}
