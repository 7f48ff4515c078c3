import { planHooks, readFigures } from '#engine'
import { Failure } from '#failure'
import { installView } from '#protocol'
import { bodies } from './requests.ts'
import type { Definitions } from './served.ts'

/** The server about itself. */
export const ownRoutes: Definitions<
  'launch' | 'makeLaunchCode' | 'health' | 'figures' | 'installHooks'
> = {
  launch: {
    says: 'Changes a launch code, which works once and for a minute, for the token',
    answers: ['launch'],
    body: bodies.launch,
    handle({ body: { code } }, { keys }) {
      if (keys.spendCode(code)) return { schema: 'retake.launch/1', token: keys.token }
      throw new Failure('code-invalid', 'This link was used already, or is older than a minute.', {
        hint: 'Run `retake` for a new one.',
      })
    },
  },
  makeLaunchCode: {
    says: 'Makes a link that opens the page once, within a minute',
    answers: ['launch-code'],
    handle: (_, { keys, origin }) => ({
      schema: 'retake.launch-code/1',
      url: launchUrl(origin, keys.makeCode()),
    }),
  },
  health: {
    says: 'Whether the server is there',
    answers: ['health'],
    handle: (_, { version, feed }) => ({
      schema: 'retake.health/1',
      status: 'ok',
      version,
      pid: process.pid,
      clients: feed.clients,
      seconds: Math.round(process.uptime()),
    }),
  },
  figures: {
    says: 'How Retake is used on this machine; counted here, sent nowhere',
    answers: ['figures'],
    handle: (_, { machine }) => ({ schema: 'retake.figures/1', ...readFigures(machine) }),
  },
  installHooks: {
    says: 'Lets Claude Code tell when a turn or a shell step runs, in all of the user’s projects',
    answers: ['install'],
    handle(_, { machine }) {
      const scope = 'user'
      const plan = planHooks(machine, { scope, project: machine.places.cwd })
      plan.apply()
      return installView(plan, { scope, dryRun: false })
    },
  },
}

/** Behind the `#`, which no browser sends anywhere or tells the next page. */
export function launchUrl(origin: string, code: string): string {
  return `${origin}/#code=${code}`
}
