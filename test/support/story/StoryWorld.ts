import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schedule, Schema } from "effect"
import { WebhookSubscriptionView } from "../../../src/Services/Events/Webhooks.ts"
import { LeadProfile, LeadSummary } from "../../../src/Services/Leads/LeadModel.ts"
import { movableClock } from "../MovableClock.ts"
import { runGateway } from "../processes/RunningGateway.ts"
import { accept, webhookReceiver } from "../providers/WebhookReceiver.ts"
import type { Arrival } from "./StoryLaws.ts"
import { storyMail } from "./StoryMail.ts"

/** A Tuesday, ten o'clock in São Paulo. The story does not depend on the date of the test run. */
const beginning = "2026-03-03T13:00:00Z"

/** Whether all `received` mails are processed, no lead and no notice is due, and nothing is queued or running. */
const isResting = (received: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly isResting: boolean }>`
      select (select count(*) from email_message where direction = 'inbound') = ${received}
        and not exists (select from lead l where l.pipeline_state = 'in_pipeline' and l.paused_at is null
          and l.unsubscribed_at is null and l.next_touch_at <= instant())
        and not exists (select from meeting where announce_at <= instant() and announced_for is distinct from starts_at)
        and not exists (select from touch where status in ('writing', 'queued'))
        and not exists (select from email_message where status in ('queued', 'sending'))
        and not exists (select from graphile_worker._private_jobs where attempts < max_attempts and run_at <= now())
        and not exists (select from webhook_delivery where status = 'pending') as "isResting"`
  ).pipe(Effect.map(([row]) => row?.isResting === true))

/**
 * Waits until the gateway has nothing left to do before time moves on. A cluster checks one part after another, so work
 * could move from an unchecked part to a checked one. Two quiet checks in a row are required.
 */
const untilRest = (received: number) =>
  Effect.zipWith(isResting(received), isResting(received), (first, second) => first && second).pipe(
    Effect.repeat({ until: (rests) => rests, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("60 seconds"),
    Effect.orDie
  )

const Subscribed = Schema.Struct({ ...WebhookSubscriptionView.fields, signing_secret: Schema.String })
const Found = Schema.Struct({
  leads: Schema.Array(LeadSummary),
  page: Schema.Int,
  page_size: Schema.Int,
  total: Schema.Int
})

/** The running gateway with real mail servers, and a receiver for all webhooks of its account. */
export const storyWorld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* movableClock(beginning)
  const mail = yield* storyMail
  const arrivals: Array<Arrival> = []
  const receiver = yield* webhookReceiver((received, response) => {
    arrivals.push({ received, at: clock.now() })
    accept(received, response)
  })
  const gateway = yield* runGateway(clock, {
    ...mail.environment,
    MAIL_DOMAIN: "mail.ondas.example",
    OUTBOUND_ALLOW_LOOPBACK: "true"
  })
  const { call } = gateway
  const subscription = yield* call("create_webhook_subscription", Subscribed, { url: receiver.url })
  const rest = Effect.suspend(() =>
    untilRest(mail.journal().filter(({ direction }) => direction === "inbound").length)
  ).pipe(Effect.provideService(SqlClient, sql))
  const leads = Effect.map(call("search_leads", Found, { page_size: 100 }), (answer) => answer.leads)
  const idOf = (person: string) =>
    Effect.flatMap(leads, (all) => {
      const lead = all.find(({ email }) => email === person)
      return lead === undefined ? Effect.dieMessage(`${person} is no lead.`) : Effect.succeed(lead.lead_id)
    })

  return {
    clock,
    mail,
    gateway,
    subscription,
    /** The received deliveries, in order. */
    arrivals: arrivals satisfies ReadonlyArray<Arrival>,
    /** Waits until the gateway has done everything that is due. */
    rest,
    /** Moves time on and waits until the gateway has done what is then due. */
    moveTo: (instant: string) => Effect.zipRight(clock.moveTo(instant), rest),
    leads,
    /** By the lead's address. */
    idOf,
    profileOf: (person: string) => Effect.flatMap(idOf(person), (lead_id) => call("get_lead", LeadProfile, { lead_id }))
  }
})

export type StoryWorld = Effect.Effect.Success<typeof storyWorld>
