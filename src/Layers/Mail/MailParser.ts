import { createHash } from "node:crypto"
import { Context, type Duration, Effect, Either, type Scope } from "effect"
import { headerFields } from "../../Services/Mail/MailHeaderFields.ts"
import type { InboundMail } from "../../Services/Mail/MailInbox.ts"
import { normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { makeThreadPool } from "../Platform/Threads/ThreadPool.ts"
import { headOf, inboundMail, type ParsedMail } from "./MailParser/ParsedMail.ts"

export interface MailParserLimitsShape {
  readonly threads: number
  /** The time limit per message. */
  readonly timeout: Duration.DurationInput
  readonly heapMegabytes: number
}

/** Limits for parsing a message. Tests use lower ones. */
export class MailParserLimits extends Context.Reference<MailParserLimits>()("MailParserLimits", {
  defaultValue: (): MailParserLimitsShape => ({ threads: 2, timeout: "10 seconds", heapMegabytes: 256 })
}) {}

/** Shown instead of a message that the gateway could not read. */
export const unreadableText = "[This message could not be read. It is attached as it came, as message.eml.]"

/** The raw message as an attachment, so that a person can open it with a mail program. */
const asFile = (raw: Uint8Array) => ({ fileName: "message.eml", bytes: raw, isInlinePicture: false })

/** A message of which only the header was read. */
const unreadable = (raw: Uint8Array, head: ParsedMail): InboundMail =>
  inboundMail({
    ...head,
    text: unreadableText,
    reply: unreadableText,
    attachments: [asFile(raw)],
    reportParts: [],
    invitationAnswer: undefined,
    digest: createHash("sha256").update(raw).digest(),
    isCut: true
  })

/** Reads a header without the mail parser. It is enough to find the sender and the recipients. */
const plainHead = (raw: Uint8Array): ParsedMail => {
  const fields = headerFields(headOf(raw).toString("latin1"))
  const addresses = (name: string): ReadonlyArray<string> =>
    (fields.get(name) ?? []).flatMap((body) =>
      body
        .slice(0, 2000)
        .split(",", 50)
        .flatMap((one) => {
          const open = one.lastIndexOf("<")
          const close = one.indexOf(">", open)
          const address = normaliseEmail(open < 0 ? one.trim() : one.slice(open + 1, close < 0 ? undefined : close))
          return Either.isRight(address) ? [address.right] : []
        })
    )
  return {
    messageId: undefined,
    fromAddress: addresses("from")[0],
    recipients: ["delivered-to", "x-original-to", "to", "cc"].flatMap(addresses).slice(0, 50),
    subject: "",
    answers: [],
    references: [],
    text: "",
    reply: "",
    attachments: [],
    mediaType: "text/plain",
    reportType: undefined,
    reportParts: [],
    invitationAnswer: undefined,
    fields,
    digest: new Uint8Array(),
    isCut: true
  }
}

/** A message of which only the plain header was read. */
export const unparsedMail = (raw: Uint8Array): InboundMail => unreadable(raw, plainHead(raw))

/**
 * Parses raw messages in threads, with a time and memory limit for each. Never fails: if a message cannot be parsed,
 * only its header is read and the raw message becomes an attachment.
 */
export const makeMailParser: Effect.Effect<(raw: Uint8Array) => Effect.Effect<InboundMail>, never, Scope.Scope> =
  Effect.gen(function* () {
    const { heapMegabytes, threads, timeout } = yield* MailParserLimits
    const crew = yield* makeThreadPool<Uint8Array, ParsedMail>({
      program: new URL("./MailParser/startMailParserWorker.js", import.meta.url),
      heapMegabytes,
      size: threads,
      timeout
    })
    // The thread gets a copy. The original is stored if the thread dies while parsing it.
    const ask = (raw: Uint8Array) =>
      Effect.suspend(() => {
        const copy = new Uint8Array(raw)
        return crew.ask(copy, [copy.buffer])
      })
    return (raw) =>
      ask(raw).pipe(
        Effect.map(inboundMail),
        // The raw message is attached, because it contains the missing parts.
        Effect.map((mail) => (mail.isCut ? { ...mail, attachments: [asFile(raw), ...mail.attachments] } : mail)),
        Effect.catchAll((failure) =>
          Effect.logWarning("a message could not be read").pipe(
            Effect.annotateLogs({
              bytes: raw.byteLength,
              why: failure._tag === "ThreadEnded" ? failure.reason : "timed_out"
            }),
            Effect.zipRight(ask(headOf(raw))),
            Effect.map((head) => unreadable(raw, head)),
            Effect.orElseSucceed(() => unparsedMail(raw))
          )
        ),
        Effect.withSpan("parseMail", { captureStackTrace: false })
      )
  })
