import { Context, type Effect, type Option, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
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

/** Something that ended with a membership. */
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

/** Members of one account, beside the owner. */
export const mostMembers = 50
/** Days that a welcome's link makes an access token. */
export const accessLinkDays = 7
/** Access tokens of one member that hold. */
export const mostMemberTokens = 5

/** What the link of a welcome gave. */
export interface OpenedAccess {
  /** The access token's value, which is stored nowhere. */
  readonly token: string
  readonly accountName: string
}

/** The people who share an account with its owner. */
export class Members extends Context.Tag("Members")<
  Members,
  {
    /** The owner first, then members as they were added. */
    readonly list: Effect.Effect<ReadonlyArray<MemberView>, Transient, Caller>
    /** Refused where the account has the phone already, or another account has proved it. Queues the welcomes. */
    readonly add: (member: {
      readonly name: string
      readonly phone: string
      readonly email: string | undefined
    }) => Effect.Effect<MemberView, Refused | Transient, Caller>
    /** Ends all that the member made or consented to, and takes back what is queued for the member. */
    readonly remove: (nameOrPhone: string) => Effect.Effect<RemovedMember, NotFound | Refused | Transient, Caller>
    /**
     * A welcome that waits to be sent is the one asked for. Refused where there is no address for the only channel, or with
     * `too_many_mails`.
     */
    readonly resend: (
      id: MemberId,
      channels: ReadonlyArray<WelcomeChannel>
    ) => Effect.Effect<MemberView, NotFound | Refused | Transient, Caller>
    /** Fields left out stay; `null` takes the address away, and a new address is welcomed. */
    readonly update: (
      id: MemberId,
      changes: { readonly name: string | undefined; readonly email: string | null | undefined }
    ) => Effect.Effect<MemberView, NotFound | Refused | Transient, Caller>
    /**
     * Trades the token of a welcome's link for an access token, once; none where it was used, is too old, or its member
     * is no longer there.
     */
    readonly openAccess: (linkToken: string) => Effect.Effect<Option.Option<OpenedAccess>, Refused | Transient>
  }
>() {}
