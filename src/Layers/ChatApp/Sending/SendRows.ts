import type { SqlClient } from "@effect/sql/SqlClient"
import type { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { ChatAppContent, ChatAppMediaKind } from "../../../Services/ChatApp/ChatApp.ts"
import {
  type MessageState,
  openingText,
  type SendFacts,
  serviceWindowHours
} from "../../../Services/ChatApp/ChatAppRules.ts"
import type { ServiceMode } from "../../../Services/Core/Outside/IntegrationModes.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import { greetingName } from "../../../Services/Text/PersonName.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isLineOf } from "../Lines/ChatAppLineRows.ts"

export interface ChatAppMessageKey {
  readonly accountId: AccountId
  readonly chatAppMessageId: number
}

/** An outbound message with the facts that decide how it is sent. */
export interface SendRow extends ChatAppMessageKey, Omit<SendFacts, "block" | "leader"> {
  readonly leadId: LeadId | null
  readonly touchId: TouchId | null
  readonly status: MessageState
  readonly leader: MessageState | null
  readonly reference: string
  readonly mediaUrl: string | null
  readonly mediaType: ChatAppMediaKind | null
  readonly mediaName: string | null
  readonly phone: string | null
  readonly leadName: string | null
  readonly company: string | null
  readonly languageKey: string
  readonly language: string | null
  readonly country: string | null
  readonly state: string | null
  readonly leadPhone: string | null
  readonly timeZone: string | null
  readonly accountTimeZone: string
  readonly startHour: number
  readonly endHour: number
  readonly lineId: string | null
  readonly credential: Uint8Array | null
  readonly sendingSeconds: number | null
  /** True if a cap has delayed the message. */
  readonly isHeld: boolean
}

/** The current rows of outbound messages, in no particular order. Locks them until the transaction ends. */
export const sendRows = (
  sql: SqlClient,
  mode: ServiceMode,
  keys: ReadonlyArray<ChatAppMessageKey>
): Effect.Effect<ReadonlyArray<SendRow>, Transient> =>
  sql<SendRow>`
    select m.account_id as "accountId", m.chatapp_message_id as "chatAppMessageId", m.lead_id as "leadId",
      m.touch_id as "touchId", m.status, m.message_type as "messageType", m.kind,
      m.client_reference as reference, m.body, m.is_verbatim as "isVerbatim", m.media_url as "mediaUrl",
      m.media_type as "mediaType", m.media_name as "mediaName",
      extract(epoch from instant() - m.sending_at)::float8 as "sendingSeconds",
      m.deferred_until is not null as "isHeld",
      case when l.lead_id is null then m.phone else l.phone end as phone, coalesce(l.name, m.addressee) as "leadName",
      l.company, a.language_key as "languageKey", l.language, l.country, l.state,
      l.phone as "leadPhone", l.time_zone as "timeZone", a.time_zone as "accountTimeZone",
      coalesce(c.send_window_start_hour, 8)::int as "startHour", coalesce(c.send_window_end_hour, 18)::int as "endHour",
      coalesce(l.pipeline_state = 'finished', false) as "isLeadFinished",
      coalesce(n.status = 'live' and ${sql.literal(isLineOf(mode, "n"))}, false) as "isLineLive",
      n.provider_line_id as "lineId", n.credential,
      coalesce(c.allow_template_chatapp_messages, true) as "allowsOpenings",
      exists (select from chatapp_message i where i.account_id = m.account_id and i.lead_id = m.lead_id
        and i.direction = 'inbound' and i.phone = l.phone
        and i.occurred_at > instant() - make_interval(hours => ${serviceWindowHours})) as "isWindowOpen",
      exists (select from chatapp_message i where i.account_id = m.account_id and i.lead_id = m.lead_id
        and i.direction = 'inbound' and i.created_at > m.created_at) as "hasRepliedSince",
      (select f.status from chatapp_message f where f.account_id = m.account_id
        and f.chatapp_message_id = m.follows_message_id) as leader
    from chatapp_message m join account a on a.account_id = m.account_id
      left join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      left join chatapp_line n on n.account_id = m.account_id
      left join prospecting_config c on c.account_id = m.account_id
    where m.account_id = any (${[...new Set(keys.map(({ accountId }) => accountId))]}::bigint[])
      and m.chatapp_message_id = any (${keys.map(({ chatAppMessageId }) => chatAppMessageId)}::bigint[])
      and m.direction = 'outbound' for update of m`.pipe(fromSql())

/** The opening that contains a message, for leads that have not written recently. */
export const openingOf = (row: SendRow): Extract<ChatAppContent, { readonly _tag: "Opening" }> => {
  const name = row.leadName ?? ""
  return {
    _tag: "Opening",
    language: languageOfLead({ ...row, phone: row.leadPhone }, row.languageKey),
    greeting: greetingName(name, row.company ?? undefined) ?? clip(openingText(tidyText(name)), 60),
    body: openingText(row.body)
  }
}
