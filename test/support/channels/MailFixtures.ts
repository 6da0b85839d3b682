import { Option, Redacted } from "effect"
import type { ImapSettings, MailSettingsShape, SmtpSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import type { OutgoingMail } from "../../../src/Services/Mail/Mail.ts"
import { mailBody } from "../../../src/Services/Mail/MailText.ts"

/** Settings of a gateway without a mail server: mail goes to the sandbox. */
export const noMailSettings: MailSettingsShape = {
  smtp: Option.none(),
  imap: Option.none(),
  oauth: Option.none(),
  dkim: Option.none(),
  inboundSecret: Option.none(),
  trustedReceivers: []
}

/** Settings for a mail server of the test. */
export const localSmtp = (port: number, settings: Partial<SmtpSettings> = {}): MailSettingsShape => ({
  ...noMailSettings,
  smtp: Option.some({
    host: "127.0.0.1",
    port,
    isSecure: false,
    user: undefined,
    password: undefined,
    requireTls: false,
    connections: 2,
    filesSent: false,
    ...settings
  })
})

/** A mailbox at a server of the test, whose mail from before is not read. */
export const localImap = (port: number, settings: Partial<ImapSettings> = {}): ImapSettings => ({
  host: "127.0.0.1",
  port,
  isSecure: false,
  requireTls: false,
  user: "gateway",
  password: undefined,
  mailbox: "INBOX",
  sentMailbox: undefined,
  isHistoryKept: false,
  ...settings
})

export const secret = (text: string) => Redacted.make(text)

/** A message from `acme@mail.example` to `bia@lead.example`. */
export const outgoing = (fields: Partial<OutgoingMail> = {}): OutgoingMail => ({
  emailMessageId: 1,
  messageId: "<1@mail.example>",
  envelopeFrom: "acme+b1@mail.example",
  from: { name: "Acme Ltda", address: "acme@mail.example" },
  to: { name: "Bia", address: "bia@lead.example" },
  replyTo: "acme+r1@mail.example",
  subject: "Olá",
  ...mailBody("Olá Bia,\n\n.\nfrom here\n", "pt-BR", undefined),
  inReplyTo: undefined,
  references: [],
  unsubscribeUrl: undefined,
  date: Date.UTC(2026, 2, 2, 12),
  ...fields
})
