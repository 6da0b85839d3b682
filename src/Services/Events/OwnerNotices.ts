import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { mailedName } from "../Text/MailedName.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

/** The kinds of notifications about a lead. */
export type OwnerNewsKind =
  | "lead_became_interested"
  | "lead_confirmed"
  | "lead_unsubscribed"
  | "held_lead_replied"
  | "lead_question"
  /** The lead objects, but remains open to a conversation. */
  | "lead_objected"
  /** The lead asks for a document that the account has not stored. */
  | "lead_wants_document"
  | "lead_called_off_meeting"
  | "lead_moved_meeting"
  | "lead_wants_other_time"
  | "lead_sent_for_human_review"
  | "lead_unreachable"
  | "lead_check_in"
  | "lead_mail_unauthenticated"
  | "meeting_booked"
  | "meeting_reminder"
  | "first_chatapp_message"
  /** Three messages in a row did not follow the owner's instructions. */
  | "instructions_not_followed"

/** Reasons that a notification explains in words. */
export type OwnerNewsReason = "answer_in_another_language" | "message_not_written" | "cadence_ended"

/** The kinds that the owner also gets by e-mail, if enabled in the preferences. */
export type OwnerNoticeKind = Extract<
  OwnerNewsKind,
  | "lead_became_interested"
  | "lead_confirmed"
  | "held_lead_replied"
  | "lead_called_off_meeting"
  | "lead_moved_meeting"
  | "lead_unreachable"
>

/** The type of these messages in the account's mail. */
export const ownerNoticeType = "owner_notification"

/** The people and the content of the news. All of it may have been written by the lead. */
export interface NewsFacts {
  readonly leadName: string
  readonly company?: string | null | undefined
  /** What the lead wrote or asked. */
  readonly said?: string | null | undefined
  /** A time, in the account's time zone and language. */
  readonly when?: string | undefined
  /** Possible actions of the owner, in full sentences. */
  readonly suggestions?: string | undefined
  /** Why a lead waits, if the owner can change that. */
  readonly why?: OwnerNewsReason | undefined
}

/** The mark by which erasing a lead finds its older notices, which have no links. */
export const noticeMark = (leadId: LeadId): string => `lead_id ${leadId}.`

const longestSaid = 400

/** The text on one line and without quotation marks, so that a lead's words cannot leave the quotation. */
const quotable = (text: string | null | undefined, length: number): string =>
  clip(
    tidyText(text ?? "")
      .replace(/[“”]/g, "'")
      .replace(/\s+/g, " ")
      .trim(),
    length
  ).trim()

const newsOf = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): string => {
  const name = quotable(facts.leadName, 120)
  const company = quotable(facts.company, 120)
  const who =
    name === ""
      ? say(language, "notices.someone")
      : company === "" || company === name
        ? name
        : say(language, "notices.at", { name, company })
  return say(language, `notices.news.${kind}`, { who, when: facts.when === undefined ? "" : `: ${facts.when}` })
}

const saidIn = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): ReadonlyArray<string> => {
  const text = quotable(facts.said, longestSaid)
  const id = kind === "instructions_not_followed" ? "notices.instruction" : "notices.said"
  return text === "" ? [] : [say(language, id, { text })]
}

/** What the owner can do about the event, if anything. */
const nextStep = (kind: OwnerNewsKind, language: Language): ReadonlyArray<string> => {
  switch (kind) {
    case "lead_question":
    case "lead_objected":
    case "lead_wants_document":
    case "lead_sent_for_human_review":
    case "meeting_booked":
    case "lead_moved_meeting":
    case "lead_check_in":
    case "lead_unreachable":
    case "lead_mail_unauthenticated":
    case "instructions_not_followed":
      return [say(language, `notices.next.${kind}`)]
    default:
      return []
  }
}

/** The text of a notification. */
export const ownerNews = (kind: OwnerNewsKind, facts: NewsFacts, language: Language): string =>
  [
    newsOf(kind, facts, language),
    ...(facts.why === undefined ? [] : [say(language, `notices.why.${facts.why}`)]),
    ...saidIn(kind, facts, language),
    ...(facts.suggestions === undefined ? nextStep(kind, language) : [facts.suggestions])
  ].join(" ")

/** The same text as an e-mail. `link` opens the lead and the possible actions. */
export const ownerNotice = (
  kind: OwnerNoticeKind,
  link: string,
  facts: NewsFacts,
  language: Language
): { readonly subject: string; readonly text: string } => {
  const { company, leadName } = facts
  const news = newsOf(kind, { ...facts, leadName: mailedName(leadName), company: mailedName(company ?? "") }, language)
  return {
    subject: clip(news.replace(/\.$/, ""), 150),
    text: [
      news,
      ...saidIn(kind, facts, language),
      say(language, `notices.mailed.${kind}`),
      `${say(language, "notices.open_lead")}\n${link}`,
      say(language, "notices.switched_off")
    ].join("\n\n")
  }
}

/**
 * Sends notices to the account's owner by e-mail, queued in the caller's transaction. They go to the address that the
 * account chose for notices, but never to an address of one of its leads or one that may not be written to.
 */
export class OwnerMails extends Context.Tag("OwnerMails")<
  OwnerMails,
  {
    /** A notice that is not about a lead, in the account's language. */
    readonly tell: (
      accountId: AccountId,
      notice: { readonly subject: string; readonly text: string }
    ) => Effect.Effect<void, Transient>
    readonly send: (
      accountId: AccountId,
      kind: OwnerNoticeKind,
      leadId: LeadId,
      facts: NewsFacts
    ) => Effect.Effect<void, Transient>
  }
>() {}
