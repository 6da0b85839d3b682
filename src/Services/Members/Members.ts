import { Context, type Effect, type Option, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { MemberId, type WelcomeChannel } from "./Ids.ts"

export const Welcome = Schema.Struct({
  status: Schema.Literal("queued", "sent", "failed").annotations({
    description: "queued is not sent, and sent is what the provider took."
  }),
  failure_reason: Schema.NullOr(Schema.String).annotations({
    description: "In snake_case, for example chatapp_line_not_live or hard_bounce."
  }),
  queued_at: Timestamp,
  sent_at: Schema.NullOr(Timestamp)
})
export type Welcome = typeof Welcome.Type

export const MemberView = Schema.Struct({
  member_id: Schema.NullOr(MemberId).annotations({ description: "Null of the owner." }),
  is_owner: Schema.Boolean,
  name: Schema.String,
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  added_at: Timestamp,
  access_tokens: Schema.Int.annotations({
    description: "Access tokens that the member made with links of welcomes, and that hold."
  }),
  welcome_email: Schema.NullOr(Welcome).annotations({
    description: "The latest welcome by mail; null where none was asked for."
  }),
  welcome_chatapp: Schema.NullOr(Welcome).annotations({
    description: "The latest welcome on the messaging app, from the account's own line."
  })
})
export type MemberView = typeof MemberView.Type

/** Access that ended together with a membership. */
export const EndedAccess = Schema.Struct({
  kind: Schema.Literal("access_token", "agent", "welcome_link").annotations({
    description: "agent: a program that the member let in. welcome_link: an unused link that the member sent."
  }),
  id: Schema.Int.annotations({ description: "The id of the token, or of the member who was sent the link." }),
  label: Schema.NullOr(Schema.String)
})

export const RemovedMember = Schema.Struct({
  removed: MemberView,
  ended: Schema.Array(EndedAccess).annotations({
    description: "What the member had made or consented to, and what was open to the member. All of it ended at once."
  }),
  members_added: Schema.Array(Schema.Struct({ member_id: MemberId, name: Schema.String })).annotations({
    description: "Members whom the removed one had added. They keep their access until they are removed too."
  })
})
export type RemovedMember = typeof RemovedMember.Type

/** The maximum number of members in an account, without the owner. */
export const mostMembers = 50
/** Days in which a welcome link can create an access token. */
export const accessLinkDays = 7
/** The maximum number of valid access tokens per member. */
export const mostMemberTokens = 5

/** The result of opening a welcome link. */
export interface OpenedAccess {
  /** The value of the access token. It is not stored. */
  readonly token: string
  readonly accountName: string
}

/** The people who share an account with its owner. */
export class Members extends Context.Tag("Members")<
  Members,
  {
    /** The owner first, then members in the order in which they were added. */
    readonly list: Effect.Effect<ReadonlyArray<MemberView>, Transient, Caller>
    /** Queues the welcomes. Refused if the account already has the phone, or another account has verified it. */
    readonly add: (member: {
      readonly name: string
      readonly phone: string
      readonly email: string | undefined
    }) => Effect.Effect<MemberView, Refused | Transient, Caller>
    /** Ends all access that the member created or consented to, and cancels queued messages to the member. */
    readonly remove: (nameOrPhone: string) => Effect.Effect<RemovedMember, NotFound | Refused | Transient, Caller>
    /**
     * Queues a welcome, or returns one that is still queued. Refused if the only channel has no address, or with
     * `too_many_mails`.
     */
    readonly resend: (
      id: MemberId,
      channels: ReadonlyArray<WelcomeChannel>
    ) => Effect.Effect<MemberView, NotFound | Refused | Transient, Caller>
    /** Missing fields stay unchanged. `null` removes the address, and a new address gets a welcome. */
    readonly update: (
      id: MemberId,
      changes: { readonly name: string | undefined; readonly email: string | null | undefined }
    ) => Effect.Effect<MemberView, NotFound | Refused | Transient, Caller>
    /**
     * Exchanges the token of a welcome link for an access token, once. None if the link was used, has expired, or the
     * member was removed.
     */
    readonly openAccess: (linkToken: string) => Effect.Effect<Option.Option<OpenedAccess>, Refused | Transient>
  }
>() {}
