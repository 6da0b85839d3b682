import { Data, Effect, Option, Redacted } from "effect"
import DKIM from "nodemailer/lib/dkim"
import MailComposer from "nodemailer/lib/mail-composer"
import type { Mailbox, OutgoingMail } from "../../../Services/Mail/Mail.ts"
import { isMessageId } from "../../../Services/Mail/MessageId.ts"
import { ed25519Selector, rsaSelector } from "../../../Services/SenderDomains/DnsRecords.ts"
import type { DomainSigning } from "../../../Services/SenderDomains/SenderDomains.ts"
import { clip } from "../../../Services/Text/PlainText.ts"
import type { DkimSettings } from "../MailSettings.ts"

/** The message cannot be written or signed: a defect, since all of its fields were checked. */
class MailNotComposed extends Data.TaggedError("MailNotComposed")<{ readonly cause: unknown }> {}

const maximumName = 120
const maximumSubject = 900

/** Text for a header: one line, whatever it held, and no encoded word, in which programs would read what nobody checked. */
const headerText = (text: string, length: number): string =>
  clip(
    text
      .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
      .replaceAll("=?", "= ?")
      .trim(),
    length
  )

const mailbox = ({ address, name = "" }: Mailbox) => ({ name: headerText(name, maximumName), address })

/** Threads of any length keep their beginning and their end. */
const shortened = (references: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ids = references.filter(isMessageId)
  return ids.length <= 20 ? ids : [...ids.slice(0, 1), ...ids.slice(-19)]
}

/** The bytes of a message, written from its fields alone. */
export const composeMail = (mail: OutgoingMail): Effect.Effect<Buffer> =>
  Effect.tryPromise({
    try: () => {
      const { cc, inReplyTo, unsubscribeUrl } = mail
      const references = shortened(mail.references)
      return new MailComposer({
        messageId: mail.messageId,
        date: new Date(mail.date),
        from: mailbox(mail.from),
        to: mailbox(mail.to),
        ...(cc === undefined ? {} : { cc: mailbox(cc) }),
        replyTo: mail.replyTo,
        subject: headerText(mail.subject, maximumSubject),
        ...(inReplyTo !== undefined && isMessageId(inReplyTo) ? { inReplyTo } : {}),
        ...(references.length > 0 ? { references: [...references] } : {}),
        text: mail.text,
        html: mail.html,
        encoding: "quoted-printable",
        ...(mail.invitation === undefined
          ? {}
          : { icalEvent: { method: mail.invitation.method, content: mail.invitation.text, filename: "invite.ics" } }),
        ...(mail.attachments === undefined || mail.attachments.length === 0
          ? {}
          : {
              attachments: mail.attachments.map(({ bytes, fileName, mediaType }) => ({
                filename: headerText(fileName, maximumName),
                contentType: mediaType,
                contentDisposition: "attachment",
                content: Buffer.from(bytes),
                encoding: "base64" as const
              }))
            }),
        newline: "win",
        disableFileAccess: true,
        disableUrlAccess: true,
        headers: {
          ...(unsubscribeUrl === undefined
            ? {}
            : {
                "List-Unsubscribe": `<${unsubscribeUrl}>`,
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
              }),
          ...(mail.isNotice === true ? { "Auto-Submitted": "auto-generated" } : {})
        }
      })
        .compile()
        .build()
    },
    catch: (cause) => new MailNotComposed({ cause })
  }).pipe(Effect.orDie)

// RFC 8058 asks for both unsubscribe headers to be signed.
const signedHeaders =
  "From:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:In-Reply-To:References:List-Unsubscribe:List-Unsubscribe-Post"

/** Signs for a domain of an account, by both of its keys. */
const signForDomain = (raw: Buffer, { domain, ed25519, rsa, selector }: DomainSigning): Effect.Effect<Buffer> =>
  Effect.tryPromise({
    try: async () => {
      const byRsa = { signingDomain: domain, selector: rsaSelector(selector), privateKey: Redacted.value(rsa) }
      const byEd25519 = {
        signingDomain: domain,
        selector: ed25519Selector(selector),
        privateKey: Redacted.value(ed25519)
      }
      // Only the list counts; the library's types ask for one signature beside it.
      const options = {
        ...byRsa,
        signatureData: [byRsa, byEd25519],
        canonicalization: "relaxed/relaxed",
        headerList: signedHeaders.split(":")
      }
      // Loaded with the first message: it brings a tenth of what a start would load.
      const { dkimSign } = await import("mailauth/lib/dkim/sign.js")
      const { errors, signatures } = await dkimSign(raw, options)
      if (errors.length > 0 || signatures.split("DKIM-Signature:").length !== 3) throw new Error("not signed")
      return Buffer.concat([Buffer.from(signatures), raw])
    },
    catch: (cause) => new MailNotComposed({ cause })
  }).pipe(Effect.orDie)

/** Signs messages: for the domain that they leave under, or else for the platform's, where there is a key. */
export const mailSigner =
  (settings: Option.Option<DkimSettings>) =>
  (raw: Buffer, domainSigning?: DomainSigning): Effect.Effect<Buffer> => {
    if (domainSigning !== undefined) return signForDomain(raw, domainSigning)
    if (Option.isNone(settings)) return Effect.succeed(raw)
    const { domain, privateKey, selector } = settings.value
    return Effect.tryPromise({
      try: async () => {
        const signer = new DKIM({
          domainName: domain,
          keySelector: selector,
          privateKey: Redacted.value(privateKey),
          headerFieldNames: signedHeaders
        })
        const chunks: Array<Buffer> = []
        const stream: AsyncIterable<Buffer> = signer.sign(raw)
        for await (const chunk of stream) chunks.push(chunk)
        const signed = Buffer.concat(chunks)
        // The library leaves an unusable key out in silence.
        if (signed.subarray(0, 15).toString("latin1") !== "DKIM-Signature:") throw new Error("not signed")
        return signed
      },
      catch: (cause) => new MailNotComposed({ cause })
    }).pipe(Effect.orDie)
  }
