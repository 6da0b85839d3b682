import { Context, Effect, Layer, Option, Redacted } from "effect"
import { ConnectionsPostgres } from "../../../src/Layers/Connections/ConnectionsPostgres.ts"
import { CrmHookBase } from "../../../src/Layers/Crm/Connecting/CrmHooks.ts"
import { CrmPostgres } from "../../../src/Layers/Crm/CrmPostgres.ts"
import { resyncHandler } from "../../../src/Layers/Crm/Pushing/CrmResync.ts"
import { makeCrmSync } from "../../../src/Layers/Crm/Syncing/CrmSync.ts"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { layer as LeadFileReaderLayer } from "../../../src/Layers/LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "../../../src/Layers/LeadFiles/LeadImportsPostgres.ts"
import { LeadSourcePostgres } from "../../../src/Layers/LeadSource/LeadSourcePostgres.ts"
import { LeadSourceTransport } from "../../../src/Layers/LeadSource/LeadSourceTransport.ts"
import { makeApolloSandboxTransport } from "../../../src/Layers/LeadSource/sandbox/ApolloSandboxTransport.ts"
import { LeadChangesPostgres } from "../../../src/Layers/Leads/LeadChangesPostgres.ts"
import { AcquiredLeadsPostgres } from "../../../src/Layers/Leads/Registration/AcquiredLeadsPostgres.ts"
import { OutcomesPostgres } from "../../../src/Layers/Outcomes/OutcomesPostgres.ts"
import { makeSealing, Sealing } from "../../../src/Layers/Platform/Sealing.ts"
import { IncidentsPostgres } from "../../../src/Layers/Support/IncidentsPostgres.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { JobId } from "../../../src/Services/Jobs/Ids.ts"
import type { RunningJob } from "../../../src/Services/Jobs/JobHandler.ts"
import { RateLimits } from "../../../src/Services/Outbound/RateLimits.ts"
import { leadLayers } from "../../support/leads/LeadLayers.ts"

const secret = Redacted.make("a secret of tests that is long enough for it")

/** What CRMs allow, where that is held to elsewhere: nobody waits. */
export const Unlimited = Layer.succeed(RateLimits, {
  take: () => Effect.succeed(0),
  takeMany: ({ costs }) => Effect.succeed({ granted: costs.length, seconds: 0, limit: undefined }),
  left: () => Effect.succeed(Number.POSITIVE_INFINITY),
  correct: () => Effect.void,
  blockedFor: () => Effect.succeed(0)
})

/** What the gateway does by its loop, when it is told to. */
export class Syncing extends Context.Tag("Syncing")<Syncing, Effect.Effect.Success<typeof makeCrmSync>>() {}

/** Queues what a resync queues, as the job of the account that asks. */
export const resync = (watched: Partial<Pick<RunningJob, "checkpoint" | "setProgress">> = {}) =>
  Effect.flatMap(Caller, (caller) =>
    resyncHandler.run(
      {
        accountId: caller.accountId,
        jobId: JobId.make("00000000-0000-4000-8000-000000000001"),
        subjectId: undefined,
        attempt: 1,
        checkpoint: Effect.void,
        setProgress: () => Effect.void,
        ...watched
      },
      caller
    )
  )

const simulatedLeadSource = Layer.effect(
  LeadSourceTransport,
  Effect.map(makeApolloSandboxTransport, (request) => ({ mode: "sandbox" as const, request }))
)

/** CRMs over a database and a way to them: a process of its own has others than a test file. */
export const crmLayers = <E, R>(limits: Layer.Layer<RateLimits, E, R>, leadSource = simulatedLeadSource) =>
  Layer.effect(Syncing, makeCrmSync).pipe(
    Layer.provideMerge(
      LeadSourcePostgres.pipe(
        Layer.provideMerge(LeadImportsPostgres),
        Layer.provide(LeadFileReaderLayer),
        Layer.provide(AccountEventsPostgres),
        Layer.provideMerge(leadSource)
      )
    ),
    Layer.provideMerge(CrmPostgres),
    Layer.provide(Layer.succeed(CrmHookBase, Option.some("https://gateway.example"))),
    Layer.provideMerge(
      Layer.mergeAll(
        IncidentsPostgres,
        ConnectionsPostgres,
        limits,
        OutcomesPostgres,
        LeadChangesPostgres,
        AcquiredLeadsPostgres
      )
    ),
    Layer.provideMerge(Layer.succeed(Sealing, makeSealing([secret]))),
    Layer.provideMerge(leadLayers([]))
  )
