import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { mailedName } from "../Text/MailedName.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

/** What an account's owner hears about a lead, as a notification. */
export type OwnerNewsKind =
  | "lead_became_interested"
  | "lead_confirmed"
  | "lead_unsubscribed"
  | "held_lead_replied"
  | "lead_question"
  /** It objects, and leaves the door open. */
  | "lead_objected"
  /** It wants to read something that the account has not stored. */
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
  /** Rules could not carry out what the owner asked of three messages. */
  | "instructions_not_followed"

/** Reasons that the owner is told in words. */
export type OwnerNewsReason = "answer_in_another_language" | "message_not_written" | "cadence_ended"

/** What of it the owner is told by e-mail too, where the account's switches say so. */
export type OwnerNoticeKind = Extract<
  OwnerNewsKind,
  | "lead_became_interested"
  | "lead_confirmed"
  | "held_lead_replied"
  | "lead_called_off_meeting"
  | "lead_moved_meeting"
  | "lead_unreachable"
>

/** The type of such messages among the account's mail. */
export const ownerNoticeType = "owner_notification"

/** Whom and what the news is about. All of it may have been written by the lead. */
export interface NewsFacts {
  readonly leadName: string
  readonly company?: string | null | undefined
  /** What the lead wrote or asked. */
  readonly said?: string | null | undefined
  /** A time, in the account's zone and language. */
  readonly when?: string | undefined
  /** What the owner can do, in whole sentences. */
  readonly suggestions?: string | undefined
  /** Why a lead waits, where the owner can do something about it. */
  readonly why?: OwnerNewsReason | undefined
}

/** What erasing a lead found its notices by before they had links. */
export const noticeMark = (leadId: LeadId): string => `lead_id ${leadId}.`

const longestSaid = 400

/** On one line, and without the quotes that end it: what a lead writes stays inside of them. */
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

/** What the owner can do about news, where there is something. */
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

/** The mail that says the same. `link` shows the lead and what can be done. */
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
 * Notices to the account's owner by e-mail, queued in the transaction of the caller: a message like any other of the account's,
 * but of no lead. It goes where the account wants its notices, and never to an address that a lead of the account has or
 * that may not be written to.
 */
export class OwnerMails extends Context.Tag("OwnerMails")<
  OwnerMails,
  {
    /** What is of no lead, in the account's own language. */
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
