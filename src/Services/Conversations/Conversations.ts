import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { AgentChannel, AgentRole } from "../Events/AgentConversation.ts"
import { LeadId } from "../Leads/Ids.ts"
import { OutreachChannel } from "../Outreach/Ids.ts"
import { notAppliedField } from "../Writing/Instructions/NotApplied.ts"

export const Direction = Schema.Literal("outbound", "inbound")
export type Direction = typeof Direction.Type

/** One message to or from a lead, or one call. */
export const ConversationItem = Schema.Struct({
  channel: OutreachChannel,
  direction: Direction,
  id: Schema.Int.annotations({
    description: "Of the e-mail, the messaging-app message or the call, as the tools of that channel have it."
  }),
  at: Timestamp.annotations({ description: "When it was sent, received or dialed; else when it was written." }),
  status: Schema.String.annotations({
    description:
      "Inbound e-mails are received, or unauthenticated: the receiving server says that the lead's name is forged, so the e-mail was ignored."
  }),
  message_type: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String).annotations({ description: "Of e-mails." }),
  body: Schema.NullOr(Schema.String).annotations({
    description: "The message; for calls, the summary of the outcome."
  }),
  media_type: Schema.NullOr(Schema.String),
  media_name: Schema.NullOr(Schema.String),
  was_picked_up: Schema.NullOr(Schema.Boolean),
  goal_achieved: Schema.NullOr(Schema.Boolean),
  duration_seconds: Schema.NullOr(Schema.Int),
  ...notAppliedField,
  transcript: Schema.optionalWith(Schema.Array(Schema.Unknown), { exact: true }).annotations({
    description: "Only for calls with include_transcripts: who said what, and when."
  })
})
export type ConversationItem = typeof ConversationItem.Type

export const LeadChatAppMessage = Schema.Struct({
  chatapp_message_id: Schema.Int,
  direction: Direction,
  kind: Schema.Literal("text", "template", "media"),
  message_type: Schema.NullOr(Schema.String).annotations({ description: "Of outbound messages." }),
  status: Schema.String,
  failure_reason: Schema.NullOr(Schema.String),
  media_type: Schema.NullOr(Schema.String),
  media_name: Schema.NullOr(Schema.String),
  customer_file_id: Schema.NullOr(Schema.Int).annotations({ description: "Where a received file is kept." }),
  created_at: Timestamp,
  occurred_at: Schema.NullOr(Timestamp).annotations({
    description: "When it was sent or received; null for a message that was not sent."
  }),
  body: Schema.optionalWith(Schema.String, { exact: true }).annotations({ description: "With include_bodies only." })
})
export type LeadChatAppMessage = typeof LeadChatAppMessage.Type

/** `hybrid` compares meanings too. `text` compares only words, because no embedding service is configured. */
export const SearchMode = Schema.Literal("text", "hybrid")
export type SearchMode = typeof SearchMode.Type

const score = Schema.Number.pipe(Schema.between(0, 1))

export const FoundMessage = Schema.Struct({
  lead_id: LeadId,
  channel: Schema.Literal("email", "chatapp"),
  direction: Direction,
  message_id: Schema.Int,
  at: Timestamp,
  subject: Schema.NullOr(Schema.String),
  snippet: Schema.String,
  score
})
export type FoundMessage = typeof FoundMessage.Type

export const FoundAgentMessage = Schema.Struct({
  agent_message_id: Schema.Int,
  role: AgentRole.annotations({ description: "Who said it: the owner, a member or the platform's agent." }),
  channel: AgentChannel.annotations({
    description:
      "How it was said: in a mail, on the messaging app, in a call, as an argument of a tool such as a reason, or as a periodic question about a lead."
  }),
  at: Timestamp,
  snippet: Schema.String,
  score
})
export type FoundAgentMessage = typeof FoundAgentMessage.Type

export const searchChannels = [
  "email",
  "chatapp",
  "email_inbound",
  "email_outbound",
  "chatapp_inbound",
  "chatapp_outbound"
] as const
export type SearchChannel = (typeof searchChannels)[number]

export class Conversations extends Context.Tag("Conversations")<
  Conversations,
  {
    /** All messages and calls between the account and the lead, except cancelled ones. */
    readonly timeline: (
      leadId: LeadId,
      options: {
        readonly page: number
        readonly pageSize: number
        readonly isOldestFirst: boolean
        readonly includeTranscripts: boolean
      }
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<ConversationItem>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    /** Both directions merged, oldest first. */
    readonly chatAppMessages: (
      leadId: LeadId,
      options: { readonly page: number; readonly pageSize: number; readonly includeBodies: boolean }
    ) => Effect.Effect<
      {
        readonly messages: ReadonlyArray<LeadChatAppMessage>
        readonly outboundTotal: number
        readonly inboundTotal: number
      },
      NotFound | Transient,
      Caller
    >
    /** The best match first. */
    readonly search: (options: {
      readonly query: string
      readonly leadId: LeadId | undefined
      readonly channel: SearchChannel | undefined
      readonly limit: number
      readonly minimumScore: number | undefined
    }) => Effect.Effect<
      { readonly results: ReadonlyArray<FoundMessage>; readonly mode: SearchMode },
      NotFound | Transient,
      Caller
    >
    readonly searchAgent: (
      query: string,
      limit: number
    ) => Effect.Effect<
      { readonly results: ReadonlyArray<FoundAgentMessage>; readonly mode: SearchMode },
      Transient,
      Caller
    >
  }
>() {}

const around = 120
const length = 300

/** The part of a text around the first word of the query, on one line. Without a match, its beginning. */
export const snippetOf = (text: string, query: string): string => {
  const plain = (value: string) => value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  const line = text.slice(0, 20_000).normalize("NFC").replace(/\s+/g, " ").trim()
  const folded = plain(line)
  const places = plain(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => folded.indexOf(word.slice(0, 6)))
    .filter((place) => place >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - around)
  const part = line
    .slice(start, start + length)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .trim()
  return `${start > 0 ? "…" : ""}${part}${start + length < line.length ? "…" : ""}`
}
