import { assert } from "@effect/vitest"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { vi } from "vitest"
import type { AccountEventView } from "../../../src/Services/Events/AccountEvents.ts"
import type { NotificationView } from "../../../src/Services/Events/Notifications.ts"
import type { WebhookDeliveryView } from "../../../src/Services/Events/Webhooks.ts"
import type { Received } from "../providers/WebhookReceiver.ts"
import type { SentMail, WrittenMail } from "./StoryMail.ts"
import type { LeadRecord } from "./StoryRecords.ts"

/** A delivery with its time of arrival on the gateway's clock. */
export interface Arrival {
  readonly received: Received
  readonly at: number
}

/**
 * Verifies with the libraries of receivers at the time of arrival, because they refuse signatures older than five
 * minutes.
 */
const verifiedBy = (secret: string, { at, received: { headers, text } }: Arrival): ReadonlyArray<unknown> => {
  vi.useFakeTimers({ toFake: ["Date"], now: at })
  try {
    return [new StandardWebhook(secret), new SvixWebhook(secret)].map((judge) => judge.verify(text, headers))
  } finally {
    vi.useRealTimers()
  }
}

/** The healthy receiver got each event of the feed once, in order, signed, and as in the feed. */
export const assertWebhooksAgree = (
  feed: ReadonlyArray<AccountEventView>,
  arrivals: ReadonlyArray<Arrival>,
  deliveries: ReadonlyArray<WebhookDeliveryView>,
  secret: string
): void => {
  const bodies = feed.map(({ cursor: _, ...body }) => body)
  assert.deepStrictEqual(
    arrivals.map(({ received }) => received.body),
    bodies
  )
  for (const arrival of arrivals) {
    const { body, headers, text } = arrival.received
    assert.strictEqual(headers["webhook-id"], body.id)
    assert.deepStrictEqual(verifiedBy(secret, arrival), [JSON.parse(text), JSON.parse(text)])
    assert.throws(() => verifiedBy(secret, { ...arrival, received: { ...arrival.received, text: `${text} ` } }))
  }
  assert.deepStrictEqual(
    deliveries.map(({ attempt_count, event_id, event_type, status }) => [event_id, event_type, status, attempt_count]),
    feed.map(({ id, type }) => [id, type, "delivered", 1])
  )
  const cursors = feed.map(({ cursor }) => cursor)
  assert.deepStrictEqual(
    cursors,
    [...new Set(cursors)].sort((one, other) => one - other)
  )
}

const lines = (text: string): string => text.replaceAll("\r\n", "\n").trim()

/** Each sent or received mail is in the conversation once and in order, and nothing else is. */
export const assertConversationAgrees = (lead: LeadRecord, journal: ReadonlyArray<SentMail | WrittenMail>): void => {
  const { conversation, emails, profile } = lead
  const mails = journal.filter(({ person }) => person === profile.email)
  assert.deepStrictEqual(
    conversation.map(({ channel, direction, subject }) => [channel, direction, subject]),
    mails.map(({ direction, subject }) => ["email", direction, subject]),
    `${profile.name}'s conversation`
  )
  for (const [index, mail] of mails.entries()) {
    const body = conversation[index]?.body ?? ""
    if (mail.direction === "outbound") assert.include(lines(mail.text), lines(body))
    else if (mail.text !== "") assert.strictEqual(lines(body), lines(mail.text))
  }
  const times = conversation.map(({ at }) => at)
  assert.deepStrictEqual(times, times.toSorted())

  // All lists of the lead's mail agree. Only the lists of mail contain cancelled mails.
  const passed = emails.filter(({ status }) => status !== "cancelled")
  assert.deepStrictEqual<unknown>(
    passed.map(({ body, direction, email_message_id: id, occurred_at: at, status, subject }) => ({
      id: Number(id),
      direction,
      status,
      at,
      subject,
      body
    })),
    conversation.map(({ at, body, direction, id, status, subject }) => ({ id, direction, status, at, subject, body }))
  )
  assert.deepStrictEqual(profile.emails, emails)
  const outbound = conversation.filter(({ direction }) => direction === "outbound")
  const human = conversation.filter((_, index) => {
    const mail = mails[index]
    return mail?.direction === "inbound" && mail.isHuman
  })
  assert.strictEqual(profile.last_outbound_at, outbound.at(-1)?.at ?? null)
  assert.strictEqual(profile.last_inbound_at, human.at(-1)?.at ?? null)
}

/** The history leads to the lead's current state without a gap. */
export const assertTrailAgrees = ({ meetings, profile, trail }: LeadRecord): void => {
  let [state, status]: [string | null, unknown] = [null, "Cold"]
  for (const event of trail) {
    assert.strictEqual(event.from_state, state, `${profile.name}: ${event.event_type}`)
    state = event.to_state
    if (event.event_type !== "status_changed") continue
    assert.strictEqual(event.data["from_status"], status)
    status = event.data["to_status"]
  }
  assert.strictEqual(state, profile.pipeline_state)
  assert.strictEqual(status, profile.status)
  const times = trail.map(({ created_at }) => created_at)
  assert.deepStrictEqual(times, times.toSorted())
  assert.strictEqual(times[0], profile.created_at)

  const named = (type: string) => trail.filter(({ event_type }) => event_type === type)
  assert.strictEqual(named("unsubscribed")[0]?.created_at ?? null, profile.unsubscribed_at)
  assert.strictEqual(named("unsubscribed").length > 0, profile.blocks.includes("unsubscribed"))
  assert.deepStrictEqual(
    named("meeting_booked").map(({ data }) => data["starts_at"]),
    meetings.map(({ starts_at }) => starts_at)
  )
}

/** The feed agrees with the lead's conversation, history and meetings. */
export const assertFeedAgrees = (
  { conversation, meetings, profile, trail }: LeadRecord,
  journal: ReadonlyArray<SentMail | WrittenMail>,
  feed: ReadonlyArray<AccountEventView>,
  notifications: ReadonlyArray<NotificationView>
): void => {
  const mine = feed.filter(({ data }) => "lead_id" in data && data.lead_id === profile.lead_id)
  // Events of different leads that are saved at the same time may be a second out of order, because the feed is in the
  // order of saving.
  const times = mine.map(({ occurred_at }) => occurred_at)
  assert.deepStrictEqual(times, times.toSorted())
  const typed = (type: string) => mine.filter((event) => event.type === type)
  for (const { data } of mine) {
    assert.deepInclude(data, { lead_name: profile.name, campaign_id: profile.campaign_id })
  }
  const mails = journal.filter(({ person }) => person === profile.email)
  const inbound = conversation.flatMap(({ at, direction, id, subject }, index) => {
    const mail = mails[index]
    return direction === "inbound" ? [{ at, id, subject, isHuman: mail?.direction === "inbound" && mail.isHuman }] : []
  })
  const messageOf = ({ data, occurred_at }: AccountEventView) =>
    "email_message_id" in data ? [data.email_message_id, data.subject, occurred_at] : []
  const eventKey = ({ at, id, subject }: (typeof inbound)[number]) => [id, subject, at]
  assert.deepStrictEqual(typed("email_received").map(messageOf), inbound.map(eventKey))
  assert.deepStrictEqual(
    typed("lead_replied_email").map(messageOf),
    inbound.filter(({ isHuman }) => isHuman).map(eventKey)
  )

  const statuses = trail.filter(({ event_type }) => event_type === "status_changed")
  const timesOf = (type: string) => typed(type).map(({ occurred_at }) => occurred_at)
  const interested = statuses.filter(({ data }) => data["to_status"] === "Interested")
  assert.deepStrictEqual(
    timesOf("lead_became_interested"),
    interested.slice(0, 1).map(({ created_at }) => created_at)
  )
  assert.deepStrictEqual(
    timesOf("lead_confirmed"),
    statuses
      .filter(({ data }) => ["Confirmed", "Aware", "Interested"].includes(String(data["to_status"])))
      .slice(0, 1)
      .map(({ created_at }) => created_at)
  )
  assert.deepStrictEqual(
    timesOf("lead_sent_for_human_review"),
    trail.filter(({ event_type }) => event_type === "flagged_for_review").map(({ created_at }) => created_at)
  )
  assert.deepStrictEqual(
    typed("meeting_booked").map(({ data }) =>
      "meeting_id" in data ? [data.meeting_id, data.starts_at, data.ends_at] : []
    ),
    meetings.map(({ ends_at, meeting_id, starts_at }) => [meeting_id, starts_at, ends_at])
  )

  const noticesOf = (kind: string) =>
    notifications.filter(
      (notification) => notification.kind === kind && notification.data["lead_id"] === profile.lead_id
    ).length
  assert.strictEqual(noticesOf("lead_became_interested"), interested.length)
  assert.strictEqual(noticesOf("meeting_booked"), meetings.length)
}
