import {
  applyGc,
  changeSetting,
  examine,
  findVoiceKey,
  GRACE_DAYS,
  openKnown,
  planGc,
  readSettings,
  readStorage,
} from '#engine'
import { Failure } from '#failure'
import {
  doctorView,
  gcView,
  inRequest,
  settingsView,
  storageView,
  type SettingsView,
} from '#protocol'
import { bodies, type Definitions, type Served } from '../requests/index.ts'

/** The check of the installation, settings and storage. */
export const settingsRoutes: Definitions<
  'doctor' | 'settings' | 'changeSetting' | 'storage' | 'collectGarbage'
> = {
  doctor: {
    says: 'Check the installation; changes nothing',
    answers: ['doctor'],
    async handle(_, { machine, version }) {
      const says = `Retake ${version} on Node ${process.versions.node}, ${process.platform}.`
      const own = { about: 'node', state: 'fine', says, cure: null } as const
      const findings = [own, ...(await examine(machine, machine.places.cwd))]
      // No values: their sources depend on the caller's environment, and settings have their own
      // route.
      return doctorView(version, findings, [], inRequest)
    },
  },
  settings: {
    says: 'Read the settings and their defaults',
    answers: ['settings'],
    handle: (_, served) => readView(served),
  },
  changeSetting: {
    says: 'Change one setting; the rest of the file stays',
    answers: ['settings'],
    body: bodies.changeSetting,
    handle({ body: { key, words } }, served) {
      changeSetting(served.machine, key, words)
      return readView(served)
    },
  },
  storage: {
    says: 'Show how much is stored for each project, and what a clean-up would free',
    answers: ['storage'],
    handle: (_, { machine }) => storageView(readStorage(machine)),
  },
  collectGarbage: {
    says: 'Clean up a project as planned; cannot be undone',
    answers: ['gc'],
    body: bodies.collectGarbage,
    async handle({ params, body }, { machine, log }) {
      using project = openKnown(machine, params.store)
      const plan = planGc(machine, project)
      if (plan.id !== body.plan)
        throw new Failure('plan-stale', 'The stored data changed since the clean-up was planned.', {
          hint: 'Nothing was deleted. Plan it again.',
        })
      await applyGc(machine, project, plan)
      log.write({ did: 'gc', project: params.store })
      const { path } = project
      return gcView(plan, { project: path, dryRun: false, graceDays: GRACE_DAYS })
    },
  },
}

function readView({ machine, voiceKey }: Served): SettingsView {
  const from = findVoiceKey(machine, voiceKey)?.from ?? 'none'
  return settingsView({ ...readSettings(machine), voiceKey: from })
}
