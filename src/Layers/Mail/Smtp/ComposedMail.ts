import { Data, Effect, Option, Redacted } from "effect"
import DKIM from "nodemailer/lib/dkim"
import MailComposer from "nodemailer/lib/mail-composer"
import type { Mailbox, OutgoingMail } from "../../../Services/Mail/Mail.ts"
import { isMessageId } from "../../../Services/Mail/MessageId.ts"
import { ed25519Selector, rsaSelector } from "../../../Services/SenderDomains/DnsRecords.ts"
import type { DomainSigning } from "../../../Services/SenderDomains/SenderDomains.ts"
import { clip } from "../../../Services/Text/PlainText.ts"
import type { DkimSettings } from "../MailSettings.ts"

/** The message cannot be written or signed. This is a defect, because all of its fields were checked. */
class MailNotComposed extends Data.TaggedError("MailNotComposed")<{ readonly cause: unknown }> {}

const maximumName = 120
const maximumSubject = 900

/**
 * Returns one line of text for a header. Encoded words are removed, because mail programs would decode them unchecked.
 */
const headerText = (text: string, length: number): string =>
  clip(
    text
      .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
      .replaceAll("=?", "= ?")
      .trim(),
    length
  )

const mailbox = ({ address, name = "" }: Mailbox) => ({ name: headerText(name, maximumName), address })

/** Long threads keep their first and last references. */
const shortened = (references: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ids = references.filter(isMessageId)
  return ids.length <= 20 ? ids : [...ids.slice(0, 1), ...ids.slice(-19)]
}

/** Returns the bytes of a message, composed from its fields alone. */
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

/** Signs for an account's domain with both of its keys. */
const signForDomain = (raw: Buffer, { domain, ed25519, rsa, selector }: DomainSigning): Effect.Effect<Buffer> =>
  Effect.tryPromise({
    try: async () => {
      const byRsa = { signingDomain: domain, selector: rsaSelector(selector), privateKey: Redacted.value(rsa) }
      const byEd25519 = {
        signingDomain: domain,
        selector: ed25519Selector(selector),
        privateKey: Redacted.value(ed25519)
      }
      // The library uses only `signatureData`, but its types also require a single signature.
      const options = {
        ...byRsa,
        signatureData: [byRsa, byEd25519],
        canonicalization: "relaxed/relaxed",
        headerList: signedHeaders.split(":")
      }
      // Loaded with the first message, because it makes up a tenth of the code that a start would load.
      const { dkimSign } = await import("mailauth/lib/dkim/sign.js")
      const { errors, signatures } = await dkimSign(raw, options)
      if (errors.length > 0 || signatures.split("DKIM-Signature:").length !== 3) throw new Error("not signed")
      return Buffer.concat([Buffer.from(signatures), raw])
    },
    catch: (cause) => new MailNotComposed({ cause })
  }).pipe(Effect.orDie)

/** Signs messages for their sender domain, or else for the platform's domain if it has a key. */
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
        // The library silently skips an unusable key.
        if (signed.subarray(0, 15).toString("latin1") !== "DKIM-Signature:") throw new Error("not signed")
        return signed
      },
      catch: (cause) => new MailNotComposed({ cause })
    }).pipe(Effect.orDie)
  }
