import { Context, type Effect, Schema, Struct } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import { OutreachChannel } from "../Outreach/Ids.ts"

const lead = { lead_id: LeadId }
const meeting = { ...lead, meeting_id: Schema.Int, starts_at: Timestamp, ends_at: Timestamp }
/** Null if the person is not a lead. */
const leadIfAny = { lead_id: Schema.NullOr(LeadId) }

/**
 * The types of events in the order of the documentation, with the data of `append`: ids, states and times, never a
 * message's text. Texts are cut to `maximumText` characters on one line.
 */
export const eventData = {
  lead_replied_email: Schema.Struct({ ...lead, email_message_id: Schema.Int, subject: Schema.NullOr(Schema.String) }),
  lead_replied_chatapp: Schema.Struct({ ...lead, chatapp_message_id: Schema.Int }),
  lead_sent_for_human_review: Schema.Struct({ ...lead, reason: Schema.NullOr(Schema.String) }),
  lead_became_interested: Schema.Struct({ ...lead, channel: Schema.NullOr(OutreachChannel) }),
  lead_confirmed: Schema.Struct({ ...lead, channel: Schema.NullOr(OutreachChannel) }),
  meeting_booked: Schema.Struct({
    ...meeting,
    /** Whether the meeting was moved from the time in `previous_starts_at`. */
    moved: Schema.Boolean,
    previous_starts_at: Schema.NullOr(Timestamp)
  }),
  meeting_cancelled: Schema.Struct(meeting),
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
}

export const eventTypes = Struct.keys(eventData)
export const EventType = Schema.Literal(...eventTypes)
export type EventType = keyof typeof eventData

/** The most characters of a subject, a reason or an address in an event. */
export const maximumText = 300

/** An event to append; `occurredAt` defaults to now. */
export type NewAccountEvent = {
  readonly [T in EventType]: {
    readonly type: T
    readonly data: (typeof eventData)[T]["Type"]
    readonly occurredAt?: Timestamp | undefined
  }
}[EventType]

/** Data that the platform adds to events about a lead. */
const LeadAsOfThen = Schema.Struct({
  lead_name: Schema.NullOr(Schema.String).annotations({
    description: "As it was when the event occurred; null once the lead is erased."
  }),
  campaign_id: Schema.NullOr(Schema.Int)
})

/** An event of one type as a webhook's body contains it. */
export const bodyOf = (type: EventType) => {
  const { fields } = eventData[type]
  return Schema.Struct({
    id: Schema.String.annotations({
      description: "Unique: the same in the feed, in the webhook's body and in its webhook-id header."
    }),
    type: Schema.Literal(type),
    occurred_at: Timestamp,
    data: Schema.Struct("lead_id" in fields ? { ...fields, ...LeadAsOfThen.fields } : fields)
  })
}

type BodyData<D> = D extends { readonly lead_id: unknown } ? D & typeof LeadAsOfThen.Type : D

export type AccountEventBody = {
  readonly [T in EventType]: {
    readonly id: string
    readonly type: T
    readonly occurred_at: Timestamp
    readonly data: BodyData<(typeof eventData)[T]["Type"]>
  }
}[EventType]

/**
 * An event as a webhook's body contains it. The type is declared, because the compiler loses each event's own data in
 * the list.
 */
export const AccountEventBody = Schema.make<AccountEventBody>(Schema.Union(...eventTypes.map(bodyOf)).ast)

/** An event as the feed returns it. */
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
  /** The `since` of the next read. Unchanged if there is nothing new. */
  readonly nextCursor: number
  /** Whether more events of the requested types exist already. */
  readonly hasMore: boolean
}

/** An account whose events are followed, and the last one that was read. */
export interface FollowedAccount {
  readonly accountId: AccountId
  readonly since: number
}

export interface FollowedEvent {
  readonly accountId: AccountId
  readonly event: AccountEventView
}

/** The most events that one poll reads per account. The next poll continues after them. */
export const followedAtOnce = 200

/** The feed of events in an account. Callers read it, and webhooks are delivered from it. */
export class AccountEvents extends Context.Tag("AccountEvents")<
  AccountEvents,
  {
    /**
     * Appends in the caller's transaction, together with the webhook deliveries of the event. Events of one account
     * wait for each other from here until the commit, so append last.
     */
    readonly append: (event: NewAccountEvent) => Effect.Effect<void, Transient, Caller>
    /** In the given order. */
    readonly appendMany: (events: ReadonlyArray<NewAccountEvent>) => Effect.Effect<void, Transient, Caller>
    /**
     * Appends events of several accounts in one transaction. Events of an account keep their order. Needs no caller.
     */
    readonly appendAll: (
      events: ReadonlyArray<{ readonly accountId: AccountId; readonly event: NewAccountEvent }>
    ) => Effect.Effect<void, Transient>
    /**
     * The first `limit` events after `since`, of `types` (all if empty). A reader that continues at `nextCursor` gets
     * every event exactly once, even if others are appended in between.
     */
    readonly read: (options: {
      readonly since: number
      readonly types: ReadonlyArray<EventType>
      readonly limit: number
    }) => Effect.Effect<EventPage, Transient, Caller>
    /** The cursor of the newest event, 0 without any. */
    readonly latest: Effect.Effect<number, Transient, Caller>
    /**
     * The next events of several accounts, at most `followedAtOnce` of each and in the order of their cursors. Needs no
     * caller.
     */
    readonly newer: (accounts: ReadonlyArray<FollowedAccount>) => Effect.Effect<ReadonlyArray<FollowedEvent>, Transient>
  }
>() {}
