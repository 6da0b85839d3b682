import type { Plan } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadStatus } from "../Leads/Ids.ts"
import type { LeadOrigin } from "../Leads/LeadOrigin.ts"
import type { MeetingId } from "../Meetings/Ids.ts"
import type { KnownAnswer, PastMessage } from "../Writing/WritingBrief.ts"
import type { OutreachChannel } from "./Ids.ts"

/** The facts about a lead at the time of a touch. */
export interface TouchFacts {
  readonly touch_number: number
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly job_title: string | null
  readonly industry: string | null
  readonly cnae: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly website: string | null
  readonly background: string | null
  readonly goal: string | null
  readonly instructions: string | null
  readonly first_message_instructions: string | null
  readonly next_touch_instructions: string | null
  readonly owner_context: string | null
  readonly language: string | null
  readonly time_zone: string | null
  readonly preferred_channel: "Email" | "ChatApp" | null
  readonly campaign_id: CampaignId | null
  readonly referred_by: string | null
  readonly origin: LeadOrigin["kind"]
  readonly status: LeadStatus
  /** The last page on which the lead left its contact. */
  readonly capture: {
    readonly page: string
    readonly said: string | null
    readonly utm_campaign: string | null
    readonly captured_at: Timestamp
    /** Whether nothing was sent to the lead since. */
    readonly is_unanswered: boolean
  } | null
  readonly is_contacted: boolean
  readonly can_email: boolean
  readonly can_phone: boolean
  readonly is_chat_failed: boolean
  readonly is_line_live: boolean
  readonly is_chat_window_open: boolean
  readonly plan: Plan
  readonly account_name: string
  /** The name in which the account writes, if it differs from the account's name. */
  readonly mail_display_name: string | null
  readonly account_language: string
  readonly account_time_zone: string
  readonly handle: string
  /** The lead's latest message without an answer. */
  readonly reply: LastReply | null
  /** All of the lead's messages without an answer, such as `email:12`. */
  readonly unanswered: ReadonlyArray<string>
  /** Unanswered messages that ask something other than what `answer` answers. */
  readonly unanswered_besides: ReadonlyArray<string>
  /** The subject of the latest mail in either direction, which an e-mail continues. */
  readonly thread_subject: string | null
  readonly thread_message_id: string | null
  readonly thread_references: ReadonlyArray<string> | null
  /** The owner's answer that the lead waits for. */
  readonly answer: { readonly answer_id: number; readonly question: string; readonly answer: string } | null
  /** The latest cancelled meeting that the lead was not notified of, if no other is planned. */
  readonly cancelled_meeting: {
    readonly meeting_id: MeetingId
    readonly starts_at: Timestamp
    readonly reason: string | null
  } | null
  /** For a touch that is a meeting notice. */
  readonly notice: {
    readonly kind: "meeting_booked" | "meeting_reminder"
    readonly starts_at: Timestamp
    readonly ends_at: Timestamp
    /** Whether the account's calendar sends the lead an invitation with a link to join. */
    readonly is_in_calendar: boolean
    readonly join_url: string | null
    /** Whether the lead was notified of a different time before. */
    readonly is_moved: boolean
  } | null
  /** Whether the touch only announces that a person will answer. */
  readonly is_holding_line: boolean
  /** Whether the lead waits for a person. */
  readonly is_in_review: boolean
  /** Free times to propose, if the lead is to choose one. */
  readonly free_times?: ReadonlyArray<Timestamp>
  /** The owner's answers for all leads, most similar to the lead's question first. */
  readonly reusable_answers: ReadonlyArray<KnownAnswer>
  readonly conversation: ReadonlyArray<PastMessage>
  /** Whether the language model was unavailable when it was last used. */
  readonly is_model_out: boolean
  /** The time by the account's clock. */
  readonly now: Timestamp
}

const interestedStatuses: ReadonlySet<LeadStatus> = new Set(["Interested", "Confirmed", "Aware", "Gatekeeper"])

/** Whether the lead's answers suggest possible interest. */
export const hasShownInterest = ({ status }: Pick<TouchFacts, "status">): boolean => interestedStatuses.has(status)

export interface LastReply {
  readonly channel: OutreachChannel
  readonly at: Timestamp
  readonly text: string
  /** The stored result of the classifier of replies. */
  readonly classification: unknown
}
