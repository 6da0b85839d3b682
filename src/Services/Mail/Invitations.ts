import { Either } from "effect"
import ICAL from "ical.js"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"

/** A participant of a meeting. */
export interface Party {
  readonly name?: string | undefined
  readonly address: string
}

/** The content of an invitation by mail (RFC 5546). A change has the same `uid` and a higher `sequence`. */
export interface Invitation {
  readonly method: "REQUEST" | "CANCEL"
  readonly uid: string
  readonly sequence: number
  readonly stampedAt: Timestamp
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  readonly summary: string
  readonly url?: string | undefined
  /** The lead's phone, which is called if there is no link. */
  readonly phone?: string | undefined
  /** Receives the answers. */
  readonly organizer: Party
  readonly attendee: Party
}

const product = "-//prospecting-gateway//meetings//EN"

/** Names are in quoted parameters, which may contain neither quotes nor line breaks. */
const plainName = (name: string): string =>
  name
    .replace(/[\p{Cc}"]+/gu, " ")
    .trim()
    .slice(0, 120)
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 300)

const utc = (time: Timestamp): ICAL.Time => ICAL.Time.fromJSDate(new Date(toMillis(time)), true)

const party = (kind: "organizer" | "attendee", { address, name }: Party): ICAL.Property => {
  const property = new ICAL.Property(kind)
  property.setValue(`mailto:${address}`)
  if (name !== undefined && plainName(name) !== "") property.setParameter("cn", plainName(name))
  return property
}

const longestLine = 75

/** The library folds lines a byte too late if a four-byte character is at the end. */
const folded = (line: string): string => {
  let text = ""
  let bytes = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (bytes + size > longestLine) {
      text += "\r\n "
      bytes = 1
    }
    text += sign
    bytes += size
  }
  return text
}

/** The invitation in iCalendar format (RFC 5545), with lines of at most 75 bytes. */
export const invitationText = (invitation: Invitation): string => {
  const { attendee, endsAt, method, organizer, phone, sequence, stampedAt, startsAt, summary, uid, url } = invitation
  const calendar = new ICAL.Component("vcalendar")
  calendar.addPropertyWithValue("version", "2.0")
  calendar.addPropertyWithValue("prodid", product)
  calendar.addPropertyWithValue("method", method)
  const event = new ICAL.Component("vevent")
  event.addPropertyWithValue("uid", uid)
  event.addPropertyWithValue("sequence", sequence)
  event.addPropertyWithValue("dtstamp", utc(stampedAt))
  event.addPropertyWithValue("dtstart", utc(startsAt))
  event.addPropertyWithValue("dtend", utc(endsAt))
  event.addPropertyWithValue("summary", oneLine(summary))
  event.addPropertyWithValue("status", method === "CANCEL" ? "CANCELLED" : "CONFIRMED")
  if (url !== undefined) {
    event.addPropertyWithValue("url", url)
    event.addPropertyWithValue("location", url)
  } else if (phone !== undefined) event.addPropertyWithValue("location", oneLine(phone))
  event.addProperty(party("organizer", organizer))
  const invited = party("attendee", attendee)
  invited.setParameter("cutype", "INDIVIDUAL")
  invited.setParameter("role", "REQ-PARTICIPANT")
  invited.setParameter("partstat", "NEEDS-ACTION")
  invited.setParameter("rsvp", "TRUE")
  event.addProperty(invited)
  calendar.addSubcomponent(event)
  const lines = calendar.toString().split("\r\n ").join("").split("\r\n")
  return `${lines.map(folded).join("\r\n")}\r\n`
}

/** An answer to an invitation. Its content is untrusted. */
export interface InvitationAnswer {
  readonly uid: string
  readonly sequence: number
  /** Unix milliseconds. Of two answers with the same sequence, the later one counts. */
  readonly stampedAt: number | undefined
  readonly attendee: string
  readonly answer: "accepted" | "tentative" | "declined"
}

/** Real answers are much shorter. */
export const longestAnswer = 64 * 1024
const mostLines = 1000

const answers: { readonly [partstat: string]: InvitationAnswer["answer"] } = {
  ACCEPTED: "accepted",
  TENTATIVE: "tentative",
  DECLINED: "declined"
}

const textOf = (value: unknown, length: number): string => (typeof value === "string" ? value : "").slice(0, length)

const answerIn = (text: string): InvitationAnswer | undefined => {
  const calendar = new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0])
  if (calendar.name !== "vcalendar" || textOf(calendar.getFirstPropertyValue("method"), 20).toUpperCase() !== "REPLY") {
    return undefined
  }
  const events = calendar.getAllSubcomponents("vevent")
  const [event] = events
  if (event === undefined || events.length > 1) return undefined
  const attendees = event.getAllProperties("attendee")
  const [attendee] = attendees
  // Each participant must answer separately.
  if (attendee === undefined || attendees.length > 1) return undefined
  const address = normaliseEmail(textOf(attendee.getFirstValue(), 400).replace(/^mailto:/i, ""))
  const answer = answers[textOf(attendee.getFirstParameter("partstat"), 20).toUpperCase()]
  const uid = textOf(event.getFirstPropertyValue("uid"), 300)
  const sequence = Number(event.getFirstPropertyValue("sequence") ?? 0)
  const stamp = event.getFirstPropertyValue("dtstamp")
  const stampedAt = stamp instanceof ICAL.Time ? stamp.toJSDate().getTime() : Number.NaN
  if (answer === undefined || uid === "" || Either.isLeft(address)) return undefined
  return {
    uid,
    sequence: Number.isSafeInteger(sequence) && sequence >= 0 ? sequence : 0,
    stampedAt: Number.isFinite(stampedAt) ? stampedAt : undefined,
    attendee: address.right,
    answer
  }
}

/** The answer that a calendar program sent (`METHOD:REPLY`). Undefined for any other text. */
export const readInvitationAnswer = (text: string): InvitationAnswer | undefined => {
  if (text.length > longestAnswer || text.split("\n", mostLines + 1).length > mostLines) return undefined
  try {
    return answerIn(text)
  } catch {
    return undefined
  }
}
