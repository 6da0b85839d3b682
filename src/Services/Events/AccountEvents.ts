import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import { OutreachChannel } from "../Outreach/Ids.ts"

/** What can happen in an account, in the order in which it is documented. */
export const eventTypes = [
  "lead_replied_email",
  "lead_replied_chatapp",
  "lead_sent_for_human_review",
  "lead_became_interested",
  "lead_confirmed",
  "meeting_booked",
  "meeting_cancelled",
  "voice_call_finished",
  "import_finished",
  "support_request_answered",
  "email_received"
] as const
export const EventType = Schema.Literal(...eventTypes)
export type EventType = typeof EventType.Type

const lead = { lead_id: LeadId }
/** Where the person may be nobody's lead. */
const leadIfAny = { lead_id: Schema.NullOr(LeadId) }

/**
 * What the caller of `append` says of each type of event. Ids, states and times; never a message's body, which the
 * tools that read it answer. Texts are cut to `maximumText` characters on one line.
 */
export const eventData = {
  lead_replied_email: Schema.Struct({ ...lead, email_message_id: Schema.Int, subject: Schema.NullOr(Schema.String) }),
  lead_replied_chatapp: Schema.Struct({ ...lead, chatapp_message_id: Schema.Int }),
  lead_sent_for_human_review: Schema.Struct({ ...lead, reason: Schema.NullOr(Schema.String) }),
  lead_became_interested: Schema.Struct({ ...lead, channel: Schema.NullOr(OutreachChannel) }),
  lead_confirmed: Schema.Struct({ ...lead, channel: Schema.NullOr(OutreachChannel) }),
  meeting_booked: Schema.Struct({ ...lead, meeting_id: Schema.Int, starts_at: Timestamp, ends_at: Timestamp }),
  meeting_cancelled: Schema.Struct({ ...lead, meeting_id: Schema.Int, starts_at: Timestamp, ends_at: Timestamp }),
  voice_call_finished: Schema.Struct({
    ...leadIfAny,
    voice_call_request_id: Schema.Int,
    status: Schema.Literal("completed", "no_answer", "busy", "failed", "cancelled"),
    was_picked_up: Schema.NullOr(Schema.Boolean),
    goal_achieved: Schema.NullOr(Schema.Boolean)
  }),
  import_finished: Schema.Struct({
    lead_import_id: Schema.Int,
    status: Schema.Literal("finished", "failed", "cancelled"),
    created_count: Schema.Int,
    duplicate_count: Schema.Int,
    invalid_count: Schema.Int
  }),
  support_request_answered: Schema.Struct({ support_request_id: Schema.Int }),
  email_received: Schema.Struct({
    ...leadIfAny,
    email_message_id: Schema.Int,
    from_address: Schema.NullOr(Schema.String),
    subject: Schema.NullOr(Schema.String)
  })
} satisfies { readonly [T in EventType]: Schema.Schema.AnyNoContext }

/** Characters of a subject, a reason or an address in an event. */
export const maximumText = 300

/** An event to append; `occurredAt` is now unless told. */
export type NewAccountEvent = {
  readonly [T in EventType]: {
    readonly type: T
    readonly data: (typeof eventData)[T]["Type"]
    readonly occurredAt?: Timestamp | undefined
  }
}[EventType]

/** What the platform itself adds to the events of a lead. */
const leadAsOfThen = {
  lead_name: Schema.NullOr(Schema.String).annotations({
    description: "As it was when the event occurred; null once the lead is erased."
  }),
  campaign_id: Schema.NullOr(Schema.Int)
}

const event = <T extends EventType, F extends Schema.Struct.Fields>(type: T, data: Schema.Struct<F>) =>
  Schema.Struct({
    id: Schema.String.annotations({
      description: "Unique: the same in the feed, in the webhook's body and in its webhook-id header."
    }),
    type: Schema.Literal(type),
    occurred_at: Timestamp,
    data
  })

const leadEvent = <T extends EventType, F extends Schema.Struct.Fields>(type: T, data: Schema.Struct<F>) =>
  event(type, Schema.Struct({ ...data.fields, ...leadAsOfThen }))

/** An event as a webhook's body has it. */
export const AccountEventBody = Schema.Union(
  leadEvent("lead_replied_email", eventData.lead_replied_email),
  leadEvent("lead_replied_chatapp", eventData.lead_replied_chatapp),
  leadEvent("lead_sent_for_human_review", eventData.lead_sent_for_human_review),
  leadEvent("lead_became_interested", eventData.lead_became_interested),
  leadEvent("lead_confirmed", eventData.lead_confirmed),
  leadEvent("meeting_booked", eventData.meeting_booked),
  leadEvent("meeting_cancelled", eventData.meeting_cancelled),
  leadEvent("voice_call_finished", eventData.voice_call_finished),
  event("import_finished", eventData.import_finished),
  event("support_request_answered", eventData.support_request_answered),
  leadEvent("email_received", eventData.email_received)
)

/** An event as the feed answers it. */
export const AccountEventView = Schema.extend(
  Schema.Struct({
    cursor: Schema.Int.annotations({ description: "The event's place in the feed, higher than that of any before it." })
  }),
  AccountEventBody
)
export type AccountEventView = typeof AccountEventView.Type

export interface EventPage {
  /** Oldest first. */
  readonly events: ReadonlyArray<AccountEventView>
  /** Where the next read goes on; the `since` of this read when there is nothing new. */
  readonly nextCursor: number
  /** Whether there are more events of the wanted types already. */
  readonly hasMore: boolean
}

/** What happens in an account, as a feed that callers follow and that webhooks are delivered from. */
export class AccountEvents extends Context.Tag("AccountEvents")<
  AccountEvents,
  {
    /**
     * Appends in the transaction of the caller, together with the webhook deliveries that the event asks for: all of it
     * happens only if that commits. Events of one account wait for each other from here to the commit, so append last.
     */
    readonly append: (event: NewAccountEvent) => Effect.Effect<void, Transient, Caller>
    /** In the order given. */
    readonly appendMany: (events: ReadonlyArray<NewAccountEvent>) => Effect.Effect<void, Transient, Caller>
    /** Of several accounts in one transaction, each account's in the order given; nobody needs to be the caller. */
    readonly appendAll: (
      events: ReadonlyArray<{ readonly accountId: AccountId; readonly event: NewAccountEvent }>
    ) => Effect.Effect<void, Transient>
    /**
     * The first `limit` events after `since`, of `types` (all when empty). A reader that goes on at `nextCursor` misses
     * no event and sees none twice, whatever is appended meanwhile.
     */
    readonly read: (options: {
      readonly since: number
      readonly types: ReadonlyArray<EventType>
      readonly limit: number
    }) => Effect.Effect<EventPage, Transient, Caller>
  }
>() {}
