import { createHash } from "node:crypto"
import { Effect, Either, Predicate } from "effect"
import { type AddressObject, type AttachmentStream, type HeaderLines, MailParser, type MessageText } from "mailparser"
import { headerFields } from "../../../Services/Mail/MailHeaderFields.ts"
import {
  type InboundAttachment,
  type InboundMail,
  maximumMailBytes,
  type ReportPart
} from "../../../Services/Mail/MailInbox.ts"
import { isMessageId } from "../../../Services/Mail/MessageId.ts"
import { cutQuotedText } from "../../../Services/Replies/QuotedText.ts"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { clip } from "../../../Services/Text/PlainText.ts"
import { unflowed } from "./FlowedText.ts"
import { textOfHtml } from "./HtmlText.ts"
import { headOf, maximumHeaderBytes, type ParsedMail } from "./ParsedMail.ts"

type HeaderLine = HeaderLines[number]
type Headers = ReturnType<MailParser["processHeaders"]>

/** A part of a message, as the library's splitter reports it. */
interface SplitPart {
  readonly type: "node" | "body" | "data"
  /** False if the part has no content type. */
  readonly contentType?: string | false
  readonly disposition?: string | false
  readonly node?: SplitPart
  /** Whether the text has soft line breaks, and whether their spaces are removed with them. */
  flowed?: boolean
  readonly delSp?: boolean
  value?: Buffer
}

/** A part, in the library's own representation. */
interface ParsedPart {
  textContent?: string
}

declare module "mailparser" {
  /** The fields of the parser that the library's types leave out. */
  interface MailParser {
    /** Decodes the header of each part. */
    processHeaders(lines: HeaderLines): Map<string, unknown>
    createNode(part: SplitPart): ParsedPart
    processChunk(part: SplitPart, done: () => void): void
  }
}

export const limits = {
  headerBytes: maximumHeaderBytes,
  headerFields: 300,
  fieldLength: 8 * 1024,
  parts: 200,
  lines: 500_000,
  /** The limit of one part's text before it is decoded. */
  textBytes: 1024 * 1024,
  /** The limit of the text of all parts. */
  allTextBytes: 3 * 1024 * 1024,
  attachments: 50,
  bodyLength: 256 * 1024,
  subjectLength: 500,
  reportLength: 64 * 1024,
  recipients: 50,
  references: 100
}

const addressFields =
  /^(?:from|to|cc|bcc|sender|reply-to|delivered-to|return-path|disposition-notification-to|list-.*)$/

/** The library takes minutes for deeply nested address groups, or throws an error that cannot be caught. */
const isHarmless = ({ key, line }: HeaderLine): boolean =>
  !addressFields.test(key) || (line.length <= limits.fieldLength && (line.match(/[:;]/g)?.length ?? 0) <= 30)

const bounded = (lines: HeaderLines): HeaderLines =>
  lines
    .slice(0, limits.headerFields)
    .filter(isHarmless)
    .map(({ key, line }) => ({ key, line: line.slice(0, limits.fieldLength) }))

const isShownText = ({ contentType, disposition }: SplitPart): boolean =>
  (!disposition || disposition === "inline") &&
  (!contentType || contentType === "text/plain" || contentType === "text/html")

class BoundedMailParser extends MailParser {
  /** True if some text was left out. */
  isTextCut = false
  #allText = 0
  readonly #textOf = new WeakMap<SplitPart, number>()

  /** The library needs quadratic time to remove soft line breaks, so this hides them from it. */
  override createNode(part: SplitPart): ParsedPart {
    const { delSp = false, flowed: isFlowed = false } = part
    part.flowed = false
    const node = super.createNode(part)
    if (!isFlowed) return node
    let text: string | undefined
    return Object.defineProperty(node, "textContent", {
      get: () => text,
      set: (decoded: string) => {
        text = unflowed(decoded, delSp)
      }
    })
  }

  /** Decoding text takes most of the time, so text beyond the limit is skipped. */
  override processChunk(part: SplitPart, done: () => void): void {
    const { node, type, value } = part
    if (type === "body" && node !== undefined && value !== undefined && isShownText(node)) {
      const before = this.#textOf.get(node) ?? 0
      const room = Math.min(limits.textBytes - before, limits.allTextBytes - this.#allText)
      if (value.length > room) {
        this.isTextCut = true
        part.value = value.subarray(0, Math.max(room, 0))
      }
      const decodedLength = part.value?.length ?? 0
      this.#textOf.set(node, before + decodedLength)
      this.#allText += decodedLength
    }
    super.processChunk(part, done)
  }

  override processHeaders(lines: HeaderLines): Headers {
    try {
      return super.processHeaders(bounded(lines))
    } catch {
      return new Map()
    }
  }
}

interface RawPart {
  readonly mediaType: string
  readonly fileName: string | undefined
  readonly isInlinePicture: boolean
  readonly bytes: Buffer
}

interface RawMail {
  readonly headers: Headers
  readonly lines: HeaderLines
  readonly text: string | undefined
  readonly html: string | undefined
  readonly parts: ReadonlyArray<RawPart>
  readonly isCut: boolean
}

const isText = (data: AttachmentStream | MessageText): data is MessageText => data.type === "text"

/** Runs the library. If it fails, the parts that it had read are used. */
const parse = (raw: Buffer): Effect.Effect<RawMail> =>
  Effect.async<RawMail>((resume) => {
    const parser = new BoundedMailParser({
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipImageLinks: true,
      keepDeliveryStatus: true,
      checksumAlgo: "sha256",
      // Options of the library's splitter that its types do not include.
      ...{ maxHeadSize: limits.headerBytes, maxChildNodes: limits.parts, ignoreEmbedded: true }
    })
    let headers: Headers = new Map()
    let lines: HeaderLines = []
    const texts: Array<MessageText> = []
    const parts: Array<RawPart> = []
    const end = (isCut: boolean): void => {
      const text = texts.map((part) => part.text ?? "").join("\n")
      const html = texts.map((part) => (typeof part.html === "string" ? part.html : "")).join("\n")
      resume(
        Effect.succeed({
          headers,
          lines,
          text: text.trim() === "" ? undefined : text,
          html: html.trim() === "" ? undefined : html,
          parts,
          isCut: isCut || parser.isTextCut || parts.length > limits.attachments
        })
      )
    }
    parser.on("headers", (parsedHeaders: Headers) => {
      headers = parsedHeaders
      lines = headerLinesOf(parser)
    })
    parser.on("data", (data: AttachmentStream | MessageText) => {
      if (isText(data)) {
        texts.push(data)
        return
      }
      const chunks: Array<Buffer> = []
      data.content.on("data", (chunk: Buffer) => chunks.push(chunk))
      data.content.on("end", () => {
        if (parts.length <= limits.attachments) {
          const mediaType = data.contentType.toLowerCase()
          parts.push({
            mediaType,
            fileName: data.filename === undefined || data.filename === "" ? undefined : data.filename,
            isInlinePicture: data.related === true && mediaType.startsWith("image/"),
            bytes: Buffer.concat(chunks)
          })
        }
        data.release()
      })
    })
    // If a message exceeds the limit of parts only at its end, the library just sets this internal flag.
    parser.on("end", () => end(Reflect.get(parser, "hasFailed") === true))
    parser.on("error", () => end(true))
    parser.end(raw)
    return Effect.sync(() => parser.destroy())
  })

/** The raw header lines, before decoding. The property is not in the published types. */
const headerLinesOf = (parser: MailParser): HeaderLines => {
  const lines: unknown = Reflect.get(parser, "headerLines")
  return Array.isArray(lines) ? bounded(lines.filter(isHeaderLine)) : []
}

const isHeaderLine = (line: unknown): line is HeaderLine =>
  Predicate.hasProperty(line, "key") &&
  typeof line.key === "string" &&
  Predicate.hasProperty(line, "line") &&
  typeof line.line === "string"

/**
 * Returns the part of the message that is parsed. It is limited, because the time grows with the size and the number of
 * lines.
 */
const readable = (raw: Uint8Array): { readonly bytes: Buffer; readonly isWhole: boolean } => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maximumMailBytes))
  let at = -1
  for (let line = 0; line < limits.lines; line++) {
    at = bytes.indexOf(0x0a, at + 1)
    if (at < 0) return { bytes, isWhole: bytes.length === raw.byteLength }
  }
  return { bytes: bytes.subarray(0, at + 1), isWhole: false }
}

const isAddressObject = (value: unknown): value is AddressObject =>
  Predicate.hasProperty(value, "value") && Array.isArray(value.value)

const addressesIn = (value: unknown): ReadonlyArray<string> =>
  [value]
    .flat()
    .filter(isAddressObject)
    .flatMap(({ value: entries }) => entries.flatMap((entry) => entry.group ?? [entry]))
    .flatMap(({ address }) => {
      const normalised = normaliseEmail(address ?? "")
      return Either.isRight(normalised) ? [normalised.right] : []
    })
    .slice(0, limits.recipients)

const messageIdsIn = (text: string | undefined): ReadonlyArray<string> =>
  [...(text ?? "").matchAll(/<[^<>\s]{3,400}>/g)].map(([id]) => id).filter(isMessageId)

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

// Postgres cannot store NUL, and the other control characters are not readable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const storable = (text: string): string => text.replace(/\r\n?/g, "\n").replace(unprintable, "").toWellFormed().trim()

const oneLine = (text: string): string =>
  clip(
    text
      .replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ")
      .toWellFormed()
      .trim(),
    limits.subjectLength
  )

const isReportPart = ({ mediaType }: RawPart): boolean =>
  mediaType === "message/delivery-status" ||
  mediaType === "message/global-delivery-status" ||
  mediaType === "message/feedback-report" ||
  mediaType === "message/rfc822" ||
  mediaType === "message/global" ||
  mediaType === "text/rfc822-headers"

const reportPart = ({ bytes, mediaType }: RawPart): ReportPart => ({
  mediaType,
  text: bytes.subarray(0, limits.reportLength).toString("utf8")
})

const attachmentOf = ({ bytes, fileName, isInlinePicture }: RawPart): InboundAttachment => ({
  fileName,
  bytes,
  isInlinePicture
})

/** The message as plain text: its text part, or its converted HTML. */
const textIn = ({ html, text }: RawMail): string => storable(text ?? textOfHtml(html ?? ""))

/** A calendar is parsed only if the message has such a part. */
const invitationAnswerIn = (parts: ReadonlyArray<RawPart>): Effect.Effect<InboundMail["invitationAnswer"]> => {
  const part = parts.find(({ mediaType }) => mediaType === "text/calendar" || mediaType === "application/ics")
  if (part === undefined || part.bytes.length > limits.reportLength) return Effect.succeed(undefined)
  return Effect.promise(async () => {
    const { readInvitationAnswer } = await import("../../../Services/Mail/Invitations.ts")
    return readInvitationAnswer(part.bytes.toString("utf8"))
  })
}

const mailOf = (raw: RawMail, isWhole: boolean): ParsedMail => {
  const { headers, lines, parts } = raw
  const fields = headerFields(lines.map(({ line }) => line).join("\r\n"))
  const header = (name: string): string | undefined => fields.get(name)?.[0]
  const whole = textIn(raw)
  const contentType = header("content-type") ?? "text/plain"
  const references = messageIdsIn(header("references")).slice(-limits.references)
  const subject = oneLine(stringOf(headers.get("subject")))
  const [fromAddress] = addressesIn(headers.get("from"))
  const delivered = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"].flatMap((name) =>
    (fields.get(name) ?? []).flatMap((field) => {
      const address = normaliseEmail(field.replace(/^.*<|>.*$/g, ""))
      return Either.isRight(address) ? [address.right] : []
    })
  )
  const digest = createHash("sha256")
    .update(`${fromAddress ?? ""}\n${subject}\n`)
    .update(whole)
  for (const part of parts) digest.update(part.bytes)
  const [messageId] = messageIdsIn(header("message-id"))
  const isCut = raw.isCut || !isWhole || whole.length > limits.bodyLength
  const text = clip(whole, limits.bodyLength)
  return {
    messageId,
    fromAddress,
    recipients: [...new Set([...delivered, ...addressesIn(headers.get("to")), ...addressesIn(headers.get("cc"))])],
    subject,
    answers: [...new Set([...messageIdsIn(header("in-reply-to")), ...[...references].reverse()])],
    references,
    text,
    // The quotation is cut in this thread, since a long one takes tens of milliseconds.
    reply: cutQuotedText(text).reply,
    attachments: isWhole ? parts.map(attachmentOf) : [],
    mediaType: (/^[^;\s]+/.exec(contentType)?.[0] ?? "").toLowerCase(),
    reportType: /;\s*report-type\s*=\s*"?([a-z-]+)/i.exec(contentType)?.[1]?.toLowerCase(),
    reportParts: parts.filter(isReportPart).map(reportPart),
    invitationAnswer: undefined,
    fields,
    digest: digest.digest(),
    isCut
  }
}

/** Parses a raw message. Never fails: if it cannot be read completely, the readable parts are returned. */
export const parseRaw = (raw: Uint8Array): Effect.Effect<ParsedMail> =>
  Effect.gen(function* () {
    const { bytes, isWhole } = readable(raw)
    const whole = yield* parse(bytes)
    if (whole.lines.length > 0) {
      return { ...mailOf(whole, isWhole), invitationAnswer: yield* invitationAnswerIn(whole.parts) }
    }
    const head = yield* parse(headOf(bytes))
    return mailOf({ ...head, isCut: true }, false)
  })
