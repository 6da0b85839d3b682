import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import fc from "fast-check"
import { recordPastChange } from "../../src/Layers/Leads/Sql.ts"
import { CampaignLeads } from "../../src/Services/Campaigns/CampaignLeads.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { LeadId, LeadStatus, PipelineState } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { messageTypes } from "../../src/Services/Reports/ReportModel.ts"

/** Seconds before now. Small values are frequent, so that the edges of windows are tested. */
const ago = fc.oneof(
  fc.integer({ min: 0, max: 30 * 3600 }),
  fc.integer({ min: 0, max: 9 * 86_400 }),
  fc.integer({ min: 0, max: 70 * 86_400 })
)

const mail = fc.record({
  ago,
  isInbound: fc.boolean(),
  isAuto: fc.boolean(),
  isSent: fc.boolean(),
  type: fc.constantFrom(...messageTypes),
  answers: fc.option(fc.nat(20), { nil: undefined })
})
const chat = fc.record({ ago, isInbound: fc.boolean(), isSent: fc.boolean(), type: fc.constantFrom(...messageTypes) })
const step = fc.record({
  ago,
  event: fc.constantFrom(
    "status_changed",
    "status_changed",
    "taken_over",
    "outcome_won",
    "outcome_lost",
    "outcome_gave_up"
  ),
  status: fc.constantFrom("Confirmed", "Interested", "Aware", "Closed", "NotInterested", "Cold"),
  value: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: null })
})
const meeting = fc.record({
  ago,
  startsAgo: fc.integer({ min: -5 * 86_400, max: 30 * 86_400 }),
  cancelledAgo: fc.option(ago, { nil: null }),
  status: fc.constantFrom("scheduled", "held", "no_show", "cancelled")
})

const lead = fc.record({
  ago,
  status: fc.constantFrom(...LeadStatus.literals),
  pipeline: fc.constantFrom(...PipelineState.literals),
  campaign: fc.constantFrom(0, 1, undefined),
  state: fc.constantFrom("SP", "rj ", "Greater London", "GREATER LONDON ", "", null),
  cnae: fc.constantFrom("8630504", "6201-5/01", "62", null),
  industry: fc.constantFrom("Odontologia", null),
  outcome: fc.constantFrom("won", "lost", null, null),
  isReferred: fc.boolean(),
  isAcquired: fc.boolean(),
  mails: fc.array(mail, { maxLength: 7 }),
  chats: fc.array(chat, { maxLength: 5 }),
  steps: fc.array(step, { maxLength: 4 }),
  meetings: fc.array(meeting, { maxLength: 1 })
})

export const historyArbitrary = fc.record({
  // Includes ends of years and clock changes.
  now: fc
    .constantFrom(
      "2026-01-02T01:30:00Z",
      "2025-11-02T15:00:00Z",
      "2026-03-08T12:00:00Z",
      "2026-03-29T02:15:00Z",
      "2026-06-15T23:59:59Z"
    )
    .map((text) => Date.parse(text)),
  zone: fc.constantFrom("America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Asia/Kathmandu"),
  country: fc.constantFrom("BR", "PT"),
  days: fc.integer({ min: 15, max: 60 }),
  leads: fc.array(lead, { minLength: 3, maxLength: 14 })
})
export type History = Parameters<Parameters<typeof historyArbitrary.map>[0]>[0]

const instant = (history: History, secondsAgo: number): string =>
  `${new Date(history.now - secondsAgo * 1000).toISOString().slice(0, 19)}Z`

export interface Mail {
  readonly id: number
  readonly leadId: number
  readonly messageId: string
  readonly inReplyTo: string | null
  readonly at: number
  readonly isInbound: boolean
  readonly isAuto: boolean
  readonly isSent: boolean
  readonly type: string
}

/** What was inserted into the database, for the slow reports. */
export interface World {
  readonly history: History
  readonly campaigns: ReadonlyArray<{ readonly id: number; readonly name: string }>
  readonly leads: ReadonlyArray<{
    readonly id: number
    readonly campaignId: number | null
    readonly at: number
    readonly isReferred: boolean
    readonly facts: History["leads"][number]
  }>
  readonly mails: ReadonlyArray<Mail>
  readonly chats: ReadonlyArray<{
    readonly leadId: number
    readonly at: number
    readonly isInbound: boolean
    readonly isSent: boolean
    readonly type: string
  }>
  readonly steps: ReadonlyArray<{
    readonly id: number
    readonly leadId: number
    readonly at: number
    readonly event: string
    readonly status: string
    readonly value: number | null
  }>
  readonly meetings: ReadonlyArray<{
    readonly leadId: number
    readonly at: number
    readonly startsAt: number
    readonly cancelledAt: number | null
    readonly status: string
  }>
}

let numbers = 0

export const insertHistory = (history: History) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update account set time_zone = ${history.zone}, country = ${history.country} where account_id = ${accountId}`
    const idOf = (rows: ReadonlyArray<{ readonly id: number }>): number => rows[0]?.id ?? 0
    const campaigns = yield* Effect.forEach(["North", "South"], (name) =>
      Effect.map(
        sql<{ readonly id: number }>`
          insert into campaign (account_id, name, business_name) values (${accountId}, ${name}, ${name})
          returning campaign_id as id`,
        (rows) => ({ id: idOf(rows), name })
      )
    )
    const leads: Array<World["leads"][number]> = []
    const mails: Array<Mail> = []
    const chats: Array<World["chats"][number]> = []
    const steps: Array<World["steps"][number]> = []
    const meetings: Array<World["meetings"][number]> = []
    const millis = (secondsAgo: number): number => history.now - secondsAgo * 1000
    for (const facts of history.leads) {
      const campaignId = facts.campaign === undefined ? null : (campaigns[facts.campaign]?.id ?? null)
      const referrer = facts.isReferred ? (leads[0]?.id ?? null) : null
      const leadId = idOf(
        yield* sql<{ readonly id: number }>`
          insert into lead (account_id, name, email, status, pipeline_state, campaign_id, state, cnae, industry,
            final_outcome, referred_by_lead_id, origin, created_at)
          values (${accountId}, 'Lead', ${`r${++numbers}@example.com`}, ${facts.status},
            ${facts.outcome === null ? facts.pipeline : "finished"}, ${campaignId}, ${facts.state}, ${facts.cnae},
            ${facts.industry}, ${facts.outcome}, ${referrer},
            ${facts.isAcquired ? "acquired" : "added"}, ${instant(history, facts.ago)})
          returning lead_id as id`
      )
      leads.push({ id: leadId, campaignId, at: millis(facts.ago), isReferred: referrer !== null, facts })
      const leadMails: Array<Mail> = []
      for (const one of facts.mails.toSorted((a, b) => b.ago - a.ago)) {
        const messageId = `<m${++numbers}@example.com>`
        const named =
          one.answers === undefined ? undefined : leadMails.filter(({ isInbound }) => !isInbound)[one.answers]
        const inReplyTo = one.isInbound ? (named?.messageId ?? null) : null
        const id = idOf(
          yield* sql<{ readonly id: number }>`
            insert into email_message (account_id, lead_id, direction, message_type, status, message_id, in_reply_to,
              from_address, to_address, subject, body_text, is_auto_reply, occurred_at, created_at)
            values (${accountId}, ${leadId}, ${one.isInbound ? "inbound" : "outbound"}, ${one.isInbound ? null : one.type},
              ${one.isInbound ? "received" : one.isSent ? "sent" : "failed"}, ${messageId}, ${inReplyTo}, 'a@example.com',
              'b@example.com', 'Subject', 'Body', ${one.isInbound && one.isAuto}, ${instant(history, one.ago)},
              ${instant(history, one.ago)})
            returning email_message_id as id`
        )
        leadMails.push({ ...one, id, leadId, messageId, inReplyTo, at: millis(one.ago) })
      }
      mails.push(...leadMails)
      for (const one of facts.chats) {
        yield* sql`
          insert into chatapp_message (account_id, lead_id, direction, kind, message_type, status, phone, body, occurred_at)
          values (${accountId}, ${leadId}, ${one.isInbound ? "inbound" : "outbound"}, 'text',
            ${one.isInbound ? null : one.type}, ${one.isInbound ? "received" : one.isSent ? "delivered" : "failed"},
            '+5511999990000', 'Body', ${instant(history, one.ago)})`
        chats.push({ ...one, leadId, at: millis(one.ago) })
      }
      for (const one of facts.steps.toSorted((a, b) => b.ago - a.ago)) {
        const data = one.event === "status_changed" ? { to_status: one.status } : { deal_value_brl: one.value }
        const id = idOf(
          yield* sql<{ readonly id: number }>`
            insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, data, created_at)
            values (${accountId}, ${leadId}, ${one.event}, 'owner', ${JSON.stringify(data)}::jsonb,
              ${instant(history, one.ago)}) returning lead_lifecycle_event_id as id`
        )
        steps.push({ ...one, id, leadId, at: millis(one.ago) })
      }
      for (const one of facts.meetings) {
        const cancelledAt = one.cancelledAgo === null ? null : instant(history, one.cancelledAgo)
        yield* sql`
          insert into meeting (account_id, lead_id, title, status, starts_at, ends_at, booked_through, created_at, cancelled_at)
          values (${accountId}, ${leadId}, 'A call', ${one.status}, ${instant(history, one.startsAgo)},
            ${instant(history, one.startsAgo - 1800)}, 'conversation', ${instant(history, one.ago)}, ${cancelledAt})`
        meetings.push({
          leadId,
          at: millis(one.ago),
          startsAt: millis(one.startsAgo),
          cancelledAt: one.cancelledAgo === null ? null : millis(one.cancelledAgo),
          status: one.status
        })
      }
    }
    yield* sql`select recount_leads(${accountId})`
    return { history, campaigns, leads, mails, chats, steps, meetings } satisfies World
  }).pipe(Effect.orDie)

/**
 * Changes the past: a lead moves to another campaign, one is erased, a mail bounces, and a reply arrives with an old
 * date.
 */
export const changePast = (world: World) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const inCampaigns = yield* CampaignLeads
    const leads = yield* Leads
    const { accountId } = yield* Caller
    const [moved, erased, bounced, late] = world.leads.toReversed().map(({ id }) => LeadId.make(id))
    const to = world.campaigns[1]
    if (moved === undefined || erased === undefined || to === undefined) return world
    yield* unit.write(inCampaigns.putInto(accountId, CampaignId.make(to.id), [moved]))
    yield* unit.write(leads.erase(erased, undefined))
    if (bounced !== undefined) {
      yield* unit.write(
        Effect.zipRight(
          sql`update email_message set status = 'failed' where account_id = ${accountId} and lead_id = ${bounced} and status = 'sent'`,
          recordPastChange(sql, { accountId, leadId: bounced })
        )
      )
    }
    const reply = {
      leadId: late ?? 0,
      at: world.history.now - 100 * 3_600_000,
      isInbound: true,
      isSent: true,
      type: ""
    }
    if (late !== undefined) {
      yield* unit.write(
        Effect.zipRight(
          sql`
            insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body, occurred_at)
            values (${accountId}, ${late}, 'inbound', 'text', 'received', '+5511999990000', 'Body',
              ${fromMillis(reply.at)})`,
          recordPastChange(sql, { accountId, leadId: late }, fromMillis(reply.at))
        )
      )
    }
    const stays = ({ leadId }: { readonly leadId: number }) => leadId !== erased
    return {
      ...world,
      // Leads that the erased lead referred are no longer referrals.
      leads: world.leads
        .filter(({ id }) => id !== erased)
        .map((lead) => ({ ...lead, campaignId: lead.id === moved ? to.id : lead.campaignId })),
      mails: world.mails
        .filter(stays)
        .map((mail) => (mail.leadId === bounced && !mail.isInbound ? { ...mail, isSent: false } : mail)),
      chats: [...world.chats.filter(stays), ...(late === undefined ? [] : [reply])],
      steps: world.steps.filter(stays),
      meetings: world.meetings.filter(stays)
    } satisfies World
  }).pipe(Effect.orDie)
