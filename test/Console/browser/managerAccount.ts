import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { makeTokenHolder } from "../../support/servers/TestServer.ts"
import { callAs } from "./account.ts"

const decodeLead = Schema.decodeUnknown(Schema.Struct({ lead_id: Schema.Number }))

/** Who is in the account: an interested lead who wrote, one with a question, one at rest, one with a meeting, and one in doubt. */
const people = [
  { name: "Ana Souza", campaign: "Clinics", status: "Interested" },
  { name: "Bruno Lima", campaign: "Clinics", status: "Aware" },
  { name: "Carla Mendes", campaign: "Bakeries", status: "Cold" },
  { name: "Davi Rocha", campaign: "Bakeries", status: "Interested" },
  { name: "Elisa Prado", campaign: "Clinics", status: "Cold" }
] as const

type Name = (typeof people)[number]["name"]

let mails = 0

/** An account as a sales manager finds it in the morning. */
export const accountOfManager = Effect.gen(function* () {
  const holder = yield* makeTokenHolder()
  const call = callAs(holder.token)
  const sql = yield* SqlClient
  const { accountId } = holder.caller
  for (const name of ["Clinics", "Bakeries"]) {
    yield* call("create_campaign", { name, business_name: "Ondas", goal: `A meeting about ${name.toLowerCase()}` })
  }
  const ids = new Map<Name, number>()
  for (const { campaign, name, status } of people) {
    const email = `${name.toLowerCase().replace(" ", ".")}.${accountId}@clinic.example`
    const { lead_id } = yield* Effect.flatMap(call("register_lead", { name, email, campaign }), decodeLead)
    yield* sql`update lead set status = ${status} where account_id = ${accountId} and lead_id = ${lead_id}`
    ids.set(name, lead_id)
  }
  const idOf = (name: Name): number => ids.get(name) ?? 0
  const receive = (name: Name, body: string, hoursAgo: number) => sql`
    with received as (
      update lead set last_inbound_at = instant() - make_interval(hours => ${hoursAgo}), last_message_direction = 'inbound',
        last_message_channel = 'email' where account_id = ${accountId} and lead_id = ${idOf(name)})
    insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
      body_text, occurred_at)
    values (${accountId}, ${idOf(name)}, 'inbound', 'received', ${`<manager-${++mails}@example.com>`}, 'a@example.com',
      'b@example.com', 'Proposal', ${body}, instant() - make_interval(hours => ${hoursAgo}))`
  yield* receive("Bruno Lima", "Do you deliver on Sundays?", 30)
  yield* receive("Ana Souza", "Yes, I want it. When can we talk?", 2)
  yield* call("pause_lead_prospecting", { lead_id: idOf("Carla Mendes"), reason: "Asked for a break" })
  yield* sql`
    insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
    values (${accountId}, ${idOf("Davi Rocha")}, 'A first call', instant() + interval '2 days',
      instant() + interval '2 days 30 minutes', 'conversation')`
  yield* sql`
    update lead set pipeline_state = 'pending_review', review_requested_at = instant(), review_reason = 'Asks for a discount'
    where account_id = ${accountId} and lead_id = ${idOf("Elisa Prado")}`
  return { ...holder, call, idOf }
})
