import type { Machine, MachineWatch, ProjectFiles, ReadAhead, Runs } from '#engine'
import type { RouteAnswer, RouteBody, RouteName, RouteParams, RouteQuery } from '#protocol'
import type { z } from '@hono/zod-openapi'
import type { Browsers, Connections, Keys } from '../access/index.ts'
import type { Feed, RunningOperations } from '../live/index.ts'
import type { Metrics, ServerLog } from '../http/index.ts'
import type { Plans } from './plans.ts'
import type { SchemaName } from './schemas.ts'

/** What a running server gives to its handlers. */
export interface Served {
  readonly machine: Machine
  readonly keys: Keys
  readonly browsers: Browsers
  readonly connections: Connections
  readonly feed: Feed
  readonly plans: Plans
  readonly log: ServerLog
  readonly metrics: Metrics
  readonly watch: MachineWatch
  readonly runs: Runs
  readonly underWay: RunningOperations
  readonly ahead: ReadAhead
  readonly files: ProjectFiles
  readonly version: string
  /** The speech key from the environment. */
  readonly voiceKey: string | null
  /** The server's address. */
  readonly origin: string
  readonly port: number
}

/** One route: its description, its input, and its handler. */
export interface Definition<Name extends RouteName> {
  readonly says: string
  /** The published schemas of its response. */
  readonly answers: readonly SchemaName[]
  readonly body?: z.ZodType<RouteBody<Name>>
  readonly query?: z.ZodType<RouteQuery<Name>>
  handle(
    input: {
      readonly params: RouteParams<Name>
      readonly query: RouteQuery<Name>
      readonly body: RouteBody<Name>
    },
    served: Served,
  ): RouteAnswer<Name> | Promise<RouteAnswer<Name>>
}

export type Definitions<Name extends RouteName = RouteName> = {
  readonly [Each in Name]: Definition<Each>
}
