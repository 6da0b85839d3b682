import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { BlacklistPostgres } from "../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { CampaignLookupPostgres } from "../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { SendGuardPostgres } from "../../src/Layers/Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { VoiceCallCompletionLive } from "../../src/Layers/Voice/Calls/CallCompletion.ts"
import type { VoiceCallKey } from "../../src/Layers/Voice/Calls/VoiceCallRows.ts"
import { VoiceCallsPostgres } from "../../src/Layers/Voice/Calls/VoiceCallsPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import type { CallResult } from "../../src/Services/Voice/Voice.ts"
import { VoiceCalls } from "../../src/Services/Voice/VoiceCalls.ts"
import { at } from "../Reports/at.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Everything that calls stand on, but the telephone, over a database of the test file's own. No engine runs. */
export const VoiceServices = Layer.mergeAll(VoiceCallsPostgres, VoiceCallCompletionLive, CampaignsPostgres).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      TaskQueuePostgres,
      NotificationsPostgres,
      AccountEventsPostgres,
      BlacklistPostgres,
      CampaignLookupPostgres,
      ProspectingConfigPostgres,
      SendGuardPostgres,
      TouchLedgerPostgres
    )
  ),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase)
)

/** Runs an effect on a Tuesday morning, when leads in Brazil may be called. */
export const inWindow = at(Date.parse("2026-03-03T13:00:00Z"))

let numbers = 0

/** A Brazilian mobile number that no other test has. */
export const newNumber = (): string => `+55119${`${80_000_000 + ++numbers}`}`

/** Queues a goal-driven call of the caller's. */
export const placeCall = (phone: string = newNumber(), goal = "Confirmar a reunião de quinta às 10h") =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const calls = yield* VoiceCalls
    const unit = yield* UnitOfWork
    const queued = yield* unit.write(calls.placeGoalDriven({ phone, goal, context: "Ela pediu por e-mail" }))
    return { accountId, voiceCallRequestId: queued.voice_call_request_id } satisfies VoiceCallKey
  })

export const callOf = (key: VoiceCallKey) => Effect.flatMap(VoiceCalls, (calls) => calls.get(key.voiceCallRequestId))

/** What is not shown of a call. */
export const internalsOf = ({ accountId, voiceCallRequestId }: VoiceCallKey) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{
      readonly client_reference: string
      readonly provider_call_id: string | null
      readonly dial_request: string | null
    }>`
      select client_reference, provider_call_id, dial_request from voice_call
      where account_id = ${accountId} and voice_call_request_id = ${voiceCallRequestId}`
    const row = rows[0]
    if (row === undefined) throw new Error("no such call")
    return row
  }).pipe(Effect.orDie)

/** As if the call had been made and dialed so long ago. */
export const age = ({ accountId, voiceCallRequestId }: VoiceCallKey, seconds: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      update voice_call set created_at = created_at - make_interval(secs => ${seconds}),
        dialed_at = dialed_at - make_interval(secs => ${seconds}),
        begun_at = begun_at - make_interval(secs => ${seconds})
      where account_id = ${accountId} and voice_call_request_id = ${voiceCallRequestId}`
  }).pipe(Effect.orDie)

/** The tasks that wait for a call, with whether they are due. */
export const tasksOf = ({ accountId, voiceCallRequestId }: VoiceCallKey) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly identifier: string }>`
      select identifier from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where (payload->>'accountId')::bigint = ${accountId}
        and coalesce(payload->>'voiceCallRequestId', payload->>'messageId')::bigint = ${voiceCallRequestId}
      order by identifier`
    return rows.map(({ identifier }) => identifier)
  }).pipe(Effect.orDie)

type Told = { readonly [member: string]: unknown }

/** The events and notifications of the caller's account, in few words. */
export const told = Effect.gen(function* () {
  const events = yield* AccountEvents
  const notifications = yield* Notifications
  const page = yield* events.read({ since: 0, types: [], limit: 100 })
  const { notifications: all } = yield* notifications.history({ page: 0, pageSize: 100 })
  return {
    events: page.events.map(({ data, type }): Told => ({ type, ...data })),
    notifications: all.map(({ data, kind }): Told => ({ kind, ...data }))
  }
})

export const answeredResult: CallResult = {
  status: "completed",
  failureReason: null,
  wasPickedUp: true,
  goalAchieved: true,
  summary: "Ela confirmou.",
  transcript: [
    { role: "agent", text: "Bom dia!", at_seconds: 0 },
    { role: "person", text: "Sim, confirmado.", at_seconds: 3 }
  ],
  durationSeconds: 61
}
