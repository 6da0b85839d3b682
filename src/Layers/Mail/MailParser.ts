import { createHash } from "node:crypto"
import { Context, type Duration, Effect, Either, type Scope } from "effect"
import { headerFields } from "../../Services/Mail/MailHeaderFields.ts"
import type { InboundMail } from "../../Services/Mail/MailInbox.ts"
import { normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { makeThreadPool } from "../Platform/Threads/ThreadPool.ts"
import { headOf, inboundMail, type ParsedMail } from "./MailParser/ParsedMail.ts"

export interface MailParserLimitsShape {
  readonly threads: number
  /** For one message. */
  readonly timeout: Duration.DurationInput
  readonly heapMegabytes: number
}

/** What reading messages may cost; tests have narrower limits. */
export class MailParserLimits extends Context.Reference<MailParserLimits>()("MailParserLimits", {
  defaultValue: (): MailParserLimitsShape => ({ threads: 2, timeout: "10 seconds", heapMegabytes: 256 })
}) {}

/** What an account reads in the place of a message that the gateway could not read. */
export const unreadableText = "[This message could not be read. It is attached as it came, as message.eml.]"

/** The message as a file, for whoever wants to read it with a program of their own. */
const asFile = (raw: Uint8Array) => ({ fileName: "message.eml", bytes: raw, isInlinePicture: false })

/** A message of which `head` is known. */
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

/** What can be told of a header without a parser of mail: enough to know whose message it is and for whom. */
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

/** A message that nothing but its plain header is read of. */
export const unparsedMail = (raw: Uint8Array): InboundMail => unreadable(raw, plainHead(raw))

/**
 * Reads raw messages in threads that have a bounded time and memory for each. Never fails: of a message that cannot be
 * read so, its header is read, and the whole is an attachment.
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
    // The copy is handed over; the original is what is kept if the thread does not survive it.
    const ask = (raw: Uint8Array) =>
      Effect.suspend(() => {
        const copy = new Uint8Array(raw)
        return crew.ask(copy, [copy.buffer])
      })
    return (raw) =>
      ask(raw).pipe(
        Effect.map(inboundMail),
        // What was left out can still be read there.
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
