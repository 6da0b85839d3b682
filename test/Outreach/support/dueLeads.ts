import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import type { OutreachChannel } from "../../../src/Services/Outreach/Ids.ts"
import type { TouchWorld } from "../../support/processes/TouchWorker.ts"
import type { Taken, touchProviders } from "../../support/providers/TouchProviders.ts"
import { makeAccount } from "../../support/TestAccount.ts"

/** Two accounts that prospect: one by mail and, over its line, the messaging app; one by telephone. */
export const makeProspectors = Effect.gen(function* () {
  const sql = yield* SqlClient
  const writing = yield* makeAccount()
  const calling = yield* makeAccount()
  yield* sql`
    insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
    values (${writing.accountId}, 'live', false, '+15550100000', 'line-1')`
  yield* sql`update prospecting_config set voice_calling_active = true where account_id = ${calling.accountId}`
  return { writing: writing.accountId, calling: calling.accountId }
})
export type Prospectors = Effect.Effect.Success<typeof makeProspectors>

/** Adds leads whose first touch is due, so many that can be reached by each channel and by no other. */
export const addDueLeads = ({ calling, writing }: Prospectors, counts: { readonly [C in OutreachChannel]: number }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const insert = (accountId: number, count: number, isMail: boolean) =>
      sql`
        insert into lead (account_id, name, company, status, pipeline_state, next_touch_at, time_zone, email, phone)
        select ${accountId}, 'Ana Souza', 'Company ' || n, 'Cold', 'in_pipeline', instant() - interval '1 minute', 'UTC',
          case when ${isMail} then 'ana' || before.leads + n || '@client.example' end,
          case when not ${isMail} then '+55119' || 80000000 + before.leads + n end
        from generate_series(1, ${count}::integer) n, (select count(*) as leads from lead) before`
    yield* insert(writing, counts.email, true)
    yield* insert(writing, counts.chatapp, false)
    yield* insert(calling, counts.voice, false)
    yield* sql`insert into dispatch_queue (account_id, due_at) values (${writing}, instant()), (${calling}, instant())`
  })

/** As if the time that tasks wait for had passed. */
export const hurryTasks = Effect.flatMap(
  SqlClient,
  (sql) => sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_by is null`
)

/** Leads that still wait to be contacted or whose message has no end. */
export const openTouches = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly open: number }>`
    select (select count(*) from touch where status in ('writing', 'queued'))
      + (select count(*) from lead where next_touch_at < instant()) as open`
).pipe(Effect.map((rows) => rows[0]?.open ?? 0))

/** Each lead's touches, how the last one ended, and what it is reached by as the providers write it. */
export const touchesOfLeads = Effect.flatMap(
  SqlClient,
  (sql) => sql<{
    readonly contact: string
    readonly touches: number
    readonly channel: OutreachChannel | null
    readonly status: string | null
  }>`
    select coalesce(l.email, case when max(t.channel) = 'voice' then l.phone else substr(l.phone, 2) end) as contact,
      count(t.touch_id) as touches, max(t.channel) as channel, max(t.status) as status
    from lead l left join touch t on t.account_id = l.account_id and t.lead_id = l.lead_id
    group by l.account_id, l.lead_id`
)

/** Whether it is written down that the provider took the message, or that nobody knows. */
export const isRecorded = ({ channel, reference }: Taken) =>
  Effect.flatMap(SqlClient, (sql) => {
    switch (channel) {
      case "email":
        return sql`select from email_message where message_id = ${reference} and status <> 'sending'`
      case "chatapp":
        return sql`select from chatapp_message where client_reference = ${reference}::uuid and status <> 'sending'`
      case "voice":
        return sql`select from voice_call where client_reference = ${reference}::uuid and dial_request <> 'begun'`
    }
  }).pipe(Effect.map((rows) => rows.length > 0))

/** The test's own database and providers, as a touch worker is told of them. */
export const worldOf = ({ places }: Effect.Effect.Success<typeof touchProviders>) =>
  Effect.map(
    DatabaseLocation,
    ({ connection: { database = "", host = "", port = 0, user = "" } }): TouchWorld => ({
      ...places,
      connection: { host, port, user, database }
    })
  )
