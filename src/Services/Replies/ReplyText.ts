import { DateTime, Option } from "effect"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { CountryCode } from "../Text/ContactDetails.ts"
import { detectLanguage, type Language } from "../Text/Language.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import { type CutText, cutQuotedText } from "./QuotedText.ts"
import { ordersItsReader } from "./Readers/ReaderOrders.ts"

/** A message from a lead, as it arrived. */
export interface InboundReply {
  /** Plain text, repeated mail and signature included. */
  readonly text: string
  /** For e-mail only. */
  readonly subject?: string
  readonly fromAddress?: string
  /**
   * True if the headers say that a program sent the message (`Auto-Submitted`, `X-Autoreply`, an empty return path).
   */
  readonly isAutoSubmitted?: boolean
  readonly receivedAt: Timestamp
  /** IANA name of the lead's time zone; any other text counts as UTC. */
  readonly timeZone: string
  /** False where the lead may as well live in another zone. True by default. */
  readonly isZoneCertain?: boolean
  /** ISO 3166-1 alpha-2 of the country where the lead lives, if known. */
  readonly leadCountry?: string
  /** The country of phone numbers without a country code. */
  readonly country: CountryCode
  /** The language to assume if the text is too short to detect it. */
  readonly leadLanguage: Language
  /** Addresses (normalised) and phones (E.164) of the lead and the account, which name no third person. */
  readonly ownContacts: ReadonlyArray<string>
  /** The subject of the mail that it most likely answers. */
  readonly lastSubject?: string
  /** The beginning of the meeting that was agreed on, as the lead's clock shows it. */
  readonly standingMeeting?: { readonly date: string; readonly time: string }
}

/** A reply, cut and folded once for all readers. */
export interface PreparedReply {
  readonly cut: CutText
  /** The writer's own text, at most `longestReply` characters, without instructions to its reader. */
  readonly own: string
  /** The same text with the instructions, as a person or a model sees it. */
  readonly fullText: string
  readonly folded: string
  readonly language: Language | undefined
  /** `YYYY-MM-DD` where the lead is. */
  readonly today: string
  /** Whether the text gives its reader instructions. */
  readonly givesOrders: boolean
}

const longestReply = 8000

/** The day that it is at `instant` in a time zone. */
export const localDate = (instant: Timestamp, timeZone: string): string => {
  const zoned = DateTime.makeZoned(toMillis(instant), { timeZone })
  return Option.match(zoned, { onNone: () => instant.slice(0, 10), onSome: DateTime.formatIsoDate })
}

const foldedLine = (text: string): string =>
  fold(text)
    .replace(/[ \t]+/g, " ")
    .trim()

/** The text without what mark-up hides from its reader. By position, since a pattern would look at long texts repeatedly. */
const withoutComments = (text: string): string => {
  let visible = ""
  let from = 0
  for (let at = text.indexOf("<!--"); at >= 0; at = text.indexOf("<!--", from)) {
    const end = text.indexOf("-->", at)
    visible += text.slice(from, at)
    if (end < 0) return visible
    from = end + 3
  }
  return visible + text.slice(from)
}

export const prepareReply = (reply: InboundReply): PreparedReply => {
  const cut = cutQuotedText(withoutComments(reply.text))
  const fullText = clip(cut.reply, longestReply)
  const givesOrders = ordersItsReader(foldedLine(fullText))
  const own = givesOrders
    ? sentencesOf(fullText)
        .filter(({ text }) => !ordersItsReader(foldedLine(text)))
        .map(({ text }) => text)
        .join("\n")
    : fullText
  return {
    cut,
    own,
    fullText,
    folded: foldedLine(own),
    language: detectLanguage(own),
    today: localDate(reply.receivedAt, reply.timeZone),
    givesOrders
  }
}
