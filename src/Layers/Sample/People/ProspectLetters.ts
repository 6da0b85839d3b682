import { nextInWindow, wallClock } from "../../../Services/Core/LocalTime.ts"
import { fold } from "../../../Services/Text/PlainText.ts"
import type { SandboxLetter } from "../../Mail/sandbox/MailSandboxInbound.ts"
import type { SeededRandom } from "../../Simulated/SeededRandom.ts"
import type { AnswerKind, Character } from "./ProspectCharacter.ts"
import { namesOfOthers, type PhraseBook, phraseBooks } from "./ProspectPhrases.ts"

/** The input for an answer. */
export interface Writing {
  readonly random: SeededRandom
  /** The address or number that identifies the person. */
  readonly contact: string
  readonly name: string
  readonly email: string | null
  readonly company: string | null
  readonly character: Character
  /** The number of answers that the person wrote before. */
  readonly turn: number
  /** The current time in Unix milliseconds. */
  readonly now: number
  readonly zone: string
}

const day = 86_400_000

/** A working hour in two to nine days, in the person's time zone. */
const proposedTime = ({ contact, random, now, turn, zone }: Writing, book: PhraseBook) => {
  const about = nextInWindow(now + random.between(2, 9, contact, "meeting day", turn) * day, zone, {
    startHour: 0,
    endHour: 24
  })
  const { day: dayOfMonth, month } = wallClock(about, zone)
  const hour = random.pick([9, 10, 11, 13, 14, 15, 16, 17], contact, "meeting hour", turn)
  return { day: book.date(dayOfMonth, month), hour: book.time(hour) }
}

const slug = (text: string): string => fold(text).replace(/[^a-z]/g, "")

/** Returns a colleague to whom the person refers, or nothing if the person's address does not allow a similar one. */
const colleague = ({ contact, random, email }: Writing) => {
  const domain = email?.split("@")[1]
  if (domain === undefined) return undefined
  const first = random.pick(namesOfOthers.firstNames, contact, "colleague's name")
  const last = random.pick(namesOfOthers.lastNames, contact, "colleague's family")
  return { name: `${first} ${last}`, email: `${slug(first)}.${slug(last)}@${domain}` }
}

export const sentenceOf = (writing: Writing, kind: AnswerKind): string => {
  const { character, contact, random, turn } = writing
  const book = phraseBooks[character.language]
  if (kind === "meeting") {
    const { day: date, hour } = proposedTime(writing, book)
    return random.pick(book.meeting, contact, "phrase", turn).replace("%d", date).replace("%h", hour)
  }
  if (kind === "referral") {
    const colleagueOfLead = colleague(writing)
    if (colleagueOfLead === undefined) return random.pick(book.sentences.wrong_person, contact, "phrase", turn)
    return random
      .pick(book.referral, contact, "phrase", turn)
      .replace("%n", colleagueOfLead.name)
      .replace("%e", colleagueOfLead.email)
  }
  return random.pick(book.sentences[kind], contact, "phrase", turn)
}

/** The message that a person answers, as it was sent. */
export interface AnsweredMessage {
  readonly sandboxMailId: number
  readonly from: string
  readonly text: string
  /** The time of the message in Unix milliseconds. */
  readonly at: number
}

/** An answer by mail, with greeting, name and usually the quoted original. */
export const letterOf = (writing: Writing, kind: AnswerKind, answered: AnsweredMessage): SandboxLetter => {
  const { character, contact, random, name, turn } = writing
  const book = phraseBooks[character.language]
  const sentence = sentenceOf(writing, kind)
  const isBrief = random.share(contact, "brief", turn) < 0.4
  const text = isBrief
    ? sentence
    : [
        random.pick(book.greetings, contact, "greeting"),
        "",
        sentence,
        "",
        random.pick(book.closings, contact, "closing"),
        name
      ].join("\n")
  const when = new Date(answered.at).toISOString().slice(0, 16).replace("T", " ")
  const quoteHead = book.quoteHead.replace("%w", when).replace("%f", `<${answered.from}>`)
  const quoted = answered.text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")
  return {
    from: writing.email ?? "",
    from_name: name,
    text: random.share(contact, "quotes", turn) < 0.75 ? `${text}\n\n${quoteHead}\n\n${quoted}\n` : `${text}\n`,
    in_reply_to_sandbox_mail_id: answered.sandboxMailId
  }
}

/** An automatic absence notice, with a return in four to fourteen days. */
export const absenceNotice = (writing: Writing, answered: AnsweredMessage): SandboxLetter => {
  const { character, contact, random, now, zone } = writing
  const book = phraseBooks[character.language]
  const { day: dayOfMonth, month } = wallClock(now + random.between(4, 14, contact, "return") * day, zone)
  return {
    from: writing.email ?? "",
    from_name: writing.name,
    subject: book.awaySubject,
    text: `${random.pick(book.away, contact, "absence").replace("%d", book.date(dayOfMonth, month))}\n`,
    in_reply_to_sandbox_mail_id: answered.sandboxMailId,
    is_auto_reply: true
  }
}

/** A mail server's report that an address does not exist (RFC 3464). */
export const bounceOf = (report: {
  readonly messageId: string
  readonly recipient: string
  readonly account: string
  /** The current time in Unix milliseconds. */
  readonly now: number
}): Uint8Array => {
  const { account, messageId, now, recipient } = report
  const server = `mx.${recipient.split("@")[1] ?? "example"}`
  const date = new Date(now).toUTCString().replace("GMT", "+0000")
  const boundary = `report-${now}`
  const lines = [
    "Return-Path: <>",
    `From: Mail Delivery System <MAILER-DAEMON@${server}>`,
    `To: ${account}`,
    "Subject: Undelivered Mail Returned to Sender",
    `Date: ${date}`,
    `Message-ID: <${now}.${recipient.replace(/[^a-z0-9.]/gi, "-")}@${server}>`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Your message could not be delivered to one or more recipients.",
    "",
    `--${boundary}`,
    "Content-Type: message/delivery-status",
    "",
    `Reporting-MTA: dns; ${server}`,
    `Arrival-Date: ${date}`,
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
    "",
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "",
    `From: <${account}>`,
    `To: <${recipient}>`,
    `Message-ID: ${messageId}`,
    "",
    `--${boundary}--`,
    ""
  ]
  return new TextEncoder().encode(lines.join("\r\n"))
}
