import type { LeadId } from "../../Services/Leads/Ids.ts"

/** The kinds of messages that are searched. */
export type Source = "email" | "chatapp" | "agent"

export interface ScoredMessage {
  readonly source: Source
  readonly id: number
  /** A score from 0 to 1. */
  readonly score: number
}

export interface MessageScope {
  readonly leadId?: LeadId | undefined
  readonly direction?: string | undefined
}

/** The table of each kind of message, and which text of it is searched. */
export const messageTables: {
  readonly [S in Source]: { readonly table: string; readonly id: string; readonly at: string; readonly text: string }
} = {
  email: {
    table: "email_message",
    id: "email_message_id",
    at: "coalesce(occurred_at, created_at)",
    text: "subject || E'\\n' || coalesce(reply_text, body_text)"
  },
  chatapp: {
    table: "chatapp_message",
    id: "chatapp_message_id",
    at: "coalesce(occurred_at, created_at)",
    text: "coalesce(reply_text, body)"
  },
  agent: { table: "agent_message", id: "agent_message_id", at: "created_at", text: "body" }
}

/** The condition on searched rows. $1 is the account, $3 a lead or null, $4 a direction or null. */
export const within = (source: Source): string =>
  source === "agent"
    ? "account_id = $1 and $3::bigint is null and $4::text is null"
    : `account_id = $1 and lead_id is not null and ($3::bigint is null or lead_id = $3)
        and ($4::text is null or direction = $4) and status <> 'cancelled'`
