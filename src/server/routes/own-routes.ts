import { planHooks, planHooksRemoval, readFigures } from '#engine'
import { Failure } from '#failure'
import { agentsView, installView, type BrowsersView } from '#protocol'
import { type Browsers, ownHosts } from '../access/index.ts'
import { bodies, type Definitions, type Served } from '../requests/index.ts'

/** Sign-in, browsers, the server's own state, and hooks. */
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
    says: 'Exchange a launch code for a token; a code works once, within a minute',
    answers: ['launch'],
    body: bodies.launch,
    handle({ body: { code, key, name = 'A browser' } }, { keys, browsers, port }) {
      if (keys.spendCode(code)) {
        if (key === undefined) return { schema: 'retake.launch/1', token: keys.token }
        const { id } = browsers.add({ key, name, port })
        return { schema: 'retake.launch/1', token: keys.makeBrowserToken(id), browser: id }
      }
      throw new Failure('code-invalid', 'This link was already used, or is older than a minute.', {
        hint: 'Run `retake` for a new one.',
      })
    },
  },
  makeLaunchCode: {
    says: 'Create a link that opens the page once, within a minute',
    answers: ['launch-code'],
    handle: (_, { keys, origin }) => ({
      schema: 'retake.launch-code/1',
      url: launchUrl(origin, keys.makeCode()),
    }),
  },
  makeChallenge: {
    says: 'Create a challenge that a signed-in browser signs to get a new token',
    answers: ['challenge'],
    handle: (_, { keys }) => ({ schema: 'retake.challenge/1', challenge: keys.makeChallenge() }),
  },
  signIn: {
    says: 'Exchange a signed challenge for a token',
    answers: ['launch'],
    body: bodies.signIn,
    handle({ body }, { keys, browsers, port }) {
      const origins = ownHosts(port).map((host) => `http://${host}`)
      // Used up even if the signature is wrong, so that each challenge allows one attempt.
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
    says: 'List the signed-in browsers',
    answers: ['browsers'],
    handle: (_, { browsers }) => browsersView(browsers),
  },
  signOutBrowser: {
    says: 'Sign out one browser',
    answers: ['browsers'],
    handle: ({ params: { browser } }, served) => signOut(browser, served),
  },
  signOutBrowsers: {
    says: 'Sign out all browsers',
    answers: ['browsers'],
    handle: (_, served) => signOut(null, served),
  },
  health: {
    says: 'Check that the server is running',
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
    says: 'Read usage figures of this machine; they are never sent anywhere',
    answers: ['figures'],
    handle: (_, { machine }) => ({ schema: 'retake.figures/1', ...readFigures(machine) }),
  },
  agents: {
    says: 'List the agents that Retake supports',
    answers: ['agents'],
    handle: (_, { machine }) => agentsView(machine.agents),
  },
  installHooks: {
    says: 'Install the hooks for all of the user’s projects',
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
    says: 'Remove the hooks from the user’s settings; the rest of the file stays',
    answers: ['install'],
    body: bodies.hooks,
    handle({ body: { dryRun = false } }, { machine }) {
      const scope = 'user'
      const plan = planHooksRemoval(machine, { scope, project: machine.places.cwd })
      if (!dryRun) plan.apply()
      const spool = plan.stays.find(({ what }) => what === 'spool')?.path ?? ''
      const agents = plan.changes.map((change) => ({
        agent: change.agent,
        change,
        plugin: plan.plugins.includes(change.agent),
        blockedBy: () => null,
      }))
      return installView({ agents, spool }, { scope, dryRun })
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
  // Delayed until the response is on its way: the requesting browser may be the one signed out.
  setTimeout(() => connections.closeOf(browser), 100).unref()
  return browsersView(browsers)
}

/** The code is after the `#`: browsers do not send it to servers or pass it to the next page. */
export function launchUrl(origin: string, code: string): string {
  return `${origin}/#code=${code}`
}
