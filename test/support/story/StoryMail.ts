import { Effect } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { letter } from "../../Mail/sampleMails.ts"
import { localMailbox } from "../providers/LocalMailbox.ts"
import { localSmtpServer, type ReceivedMail } from "../providers/LocalSmtpServer.ts"

/** A mail to one of the account's leads, as the mail server accepted it. */
export interface SentMail {
  readonly direction: "outbound"
  /** The recipient's address. */
  readonly person: string
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly envelope: ReceivedMail
  readonly header: (name: string) => ReadonlyArray<string>
}

/** A mail that was put into the account's mailbox. */
export interface WrittenMail {
  readonly direction: "inbound"
  /** The address of the person it is about. For a report, that is not the sender. */
  readonly person: string
  readonly subject: string
  readonly text: string
  /** Whether a person wrote it. */
  readonly isHuman: boolean
}

export interface Writing {
  readonly text: string
  readonly subject?: string
  /** Further header lines of a machine's mail. */
  readonly headers?: ReadonlyArray<string>
}

const headerOf =
  ({ headerLines }: ParsedMail) =>
  (name: string): ReadonlyArray<string> =>
    headerLines
      .filter(({ key }) => key === name.toLowerCase())
      .map(({ line }) =>
        line
          .slice(line.indexOf(":") + 1)
          .replace(/\s+/g, " ")
          .trim()
      )

const sentMail = async (envelope: ReceivedMail): Promise<SentMail> => {
  const mail = await simpleParser(envelope.raw)
  return {
    direction: "outbound",
    person: envelope.to[0] ?? "",
    messageId: mail.messageId ?? "",
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: typeof mail.html === "string" ? mail.html : "",
    envelope,
    header: headerOf(mail)
  }
}

const inUtf8 = (subject: string): string => `=?utf-8?B?${Buffer.from(subject).toString("base64")}?=`

/**
 * Mail outside of the gateway: a mail server that accepts what it sends, a mailbox that it reads, and a journal of both
 * in order.
 */
export const storyMail = Effect.gen(function* () {
  const smtp = yield* localSmtpServer()
  const mailbox = yield* localMailbox
  const journal: Array<SentMail | WrittenMail> = []
  smtp.behave({
    onMessage: async (mail) => {
      journal.push(await sentMail(mail))
      return undefined
    }
  })
  const sentTo = (person: string): ReadonlyArray<SentMail> =>
    journal.filter((mail): mail is SentMail => mail.direction === "outbound" && mail.person === person)
  const lastTo = (person: string): SentMail => {
    const last = sentTo(person).at(-1)
    if (last === undefined) throw new Error(`Nothing was sent to ${person}.`)
    return last
  }

  return {
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      IMAP_URL: `imap://gateway:right@127.0.0.1:${mailbox.port}/INBOX`
    },
    journal: (): ReadonlyArray<SentMail | WrittenMail> => journal,
    sentTo,
    lastTo,
    answersOf: (person: string) => journal.filter((mail) => mail.direction === "inbound" && mail.person === person),

    /** Replies to the person's last mail, as a mail program does. */
    answer: (person: string, { headers = [], subject, text }: Writing) =>
      Effect.suspend(() => {
        const about = lastTo(person)
        const title = subject ?? `Re: ${about.subject.replace(/^Re: /, "")}`
        journal.push({ direction: "inbound", person, subject: title, text, isHuman: headers.length === 0 })
        return mailbox.append(
          letter({
            from: person,
            to: about.header("reply-to")[0] ?? "",
            inReplyTo: about.messageId,
            subject: inUtf8(title),
            text,
            headers
          })
        )
      }),

    /** Puts a raw message into the mailbox that no lead wrote. */
    report: (person: string, subject: string, raw: Buffer) =>
      Effect.suspend(() => {
        journal.push({ direction: "inbound", person, subject, text: "", isHuman: false })
        return mailbox.append(raw)
      })
  }
})
