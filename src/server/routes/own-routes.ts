import { planHooks, planHooksRemoval, readFigures } from '#engine'
import { Failure } from '#failure'
import { agentsView, installView, type BrowsersView } from '#protocol'
import { type Browsers, ownHosts } from '../access/index.ts'
import { bodies, type Definitions, type Served } from '../requests/index.ts'

/** The server about itself. */
export const ownRoutes: Definitions<
  | 'launch'
  | 'makeLaunchCode'
  | 'makeChallenge'
  | 'signIn'
  | 'browsers'
  | 'signOutBrowser'
  | 'signOutBrowsers'
  | 'health'
  | 'figures'
  | 'agents'
  | 'installHooks'
  | 'removeHooks'
> = {
  launch: {
    says: 'Changes a launch code, which works once and for a minute, for the token',
    answers: ['launch'],
    body: bodies.launch,
    handle({ body: { code, key, name = 'A browser' } }, { keys, browsers, port }) {
      if (keys.spendCode(code)) {
        if (key === undefined) return { schema: 'retake.launch/1', token: keys.token }
        const { id } = browsers.add({ key, name, port })
        return { schema: 'retake.launch/1', token: keys.makeBrowserToken(id), browser: id }
      }
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
  makeChallenge: {
    says: 'A text that a browser signs to come in again, once and within a minute',
    answers: ['challenge'],
    handle: (_, { keys }) => ({ schema: 'retake.challenge/1', challenge: keys.makeChallenge() }),
  },
  signIn: {
    says: 'Changes a signed challenge for a token',
    answers: ['launch'],
    body: bodies.signIn,
    handle({ body }, { keys, browsers, port }) {
      const origins = ownHosts(port).map((host) => `http://${host}`)
      // Spent whether or not the signature is good: nobody gets to try two on one challenge.
      const browser = keys.spendChallenge(body.challenge)
        ? browsers.find({ ...body, port, origins })
        : null
      if (browser === null)
        throw new Failure('sign-in-invalid', 'This browser is not signed in.', {
          hint: 'Run `retake` and open the link it prints.',
        })
      const token = keys.makeBrowserToken(browser.id)
      return { schema: 'retake.launch/1', token, browser: browser.id }
    },
  },
  browsers: {
    says: 'The browsers that are signed in',
    answers: ['browsers'],
    handle: (_, { browsers }) => browsersView(browsers),
  },
  signOutBrowser: {
    says: 'Signs one browser out, at once',
    answers: ['browsers'],
    handle: ({ params: { browser } }, served) => signOut(browser, served),
  },
  signOutBrowsers: {
    says: 'Signs all browsers out, at once',
    answers: ['browsers'],
    handle: (_, served) => signOut(null, served),
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
  agents: {
    says: 'The agents that Retake knows, and how people speak of them',
    answers: ['agents'],
    handle: (_, { machine }) => agentsView(machine.agents),
  },
  installHooks: {
    says: 'Lets the agent tell when a turn or a shell step runs, in all of the user’s projects',
    answers: ['install'],
    body: bodies.hooks,
    handle({ body: { dryRun = false } }, { machine }) {
      const scope = 'user'
      const plan = planHooks(machine, { scope, project: machine.places.cwd })
      if (!dryRun) plan.apply()
      return installView(plan, { scope, dryRun })
    },
  },
  removeHooks: {
    says: 'Takes the hooks out of the user’s settings; every other byte of the file stays',
    answers: ['install'],
    body: bodies.hooks,
    handle({ body: { dryRun = false } }, { machine }) {
      const scope = 'user'
      const plan = planHooksRemoval(machine, { scope, project: machine.places.cwd })
      if (!dryRun) plan.apply()
      const spool = plan.stays.find(({ what }) => what === 'spool')?.path ?? ''
      const [change] = plan.changes
      return installView({ change: change!, spool, plugin: plan.plugin }, { scope, dryRun })
    },
  },
}

function browsersView(browsers: Browsers): BrowsersView {
  return {
    schema: 'retake.browsers/1',
    browsers: browsers
      .list()
      .map(({ id, name, addedAt, usedAt }) => ({ id, name, addedAt, usedAt })),
  }
}

function signOut(browser: string | null, { keys, browsers, connections }: Served): BrowsersView {
  browsers.remove(browser)
  keys.revoke(browser)
  // Not before the answer is on its way: the browser that asked may be the one that goes.
  setTimeout(() => connections.closeOf(browser), 100).unref()
  return browsersView(browsers)
}

/** Behind the `#`, which no browser sends anywhere or tells the next page. */
export function launchUrl(origin: string, code: string): string {
  return `${origin}/#code=${code}`
}
