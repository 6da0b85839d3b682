import { Context, Effect, Layer, Option } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { type ImapSettings, MailSettings } from "../MailSettings.ts"
import { command, imapSession } from "./ImapSession.ts"

/** The folder in which the server stores sent messages. */
export class SentFolder extends Context.Tag("SentFolder")<
  SentFolder,
  {
    /** Returns whether a message is in the folder. None if there is no such folder. */
    readonly has: (messageId: string) => Effect.Effect<Option.Option<boolean>, Transient>
  }
>() {}

const unavailable = transient("sent_mail_unavailable", "The mailbox of sent messages cannot be read.", 30)

const folderOf = (settings: ImapSettings): SentFolder["Type"] => ({
  has: (messageId) =>
    Effect.gen(function* () {
      const client = yield* imapSession(settings)
      const path =
        settings.sentMailbox ??
        (yield* command(() => client.list())).find(({ specialUse }) => specialUse === "\\Sent")?.path
      if (path === undefined) return Option.none<boolean>()
      yield* command(() => client.mailboxOpen(path, { readOnly: true }))
      const matchingUids = yield* command(() => client.search({ header: { "message-id": messageId } }, { uid: true }))
      return matchingUids === false ? Option.none<boolean>() : Option.some(matchingUids.length > 0)
    }).pipe(
      Effect.scoped,
      Effect.timeoutFail({ duration: "40 seconds", onTimeout: () => unavailable }),
      Effect.mapError(() => unavailable)
    )
})

/** The folder of the settings' IMAP server. */
export const SentFolderImap = Layer.effect(
  SentFolder,
  Effect.map(MailSettings, ({ imap }) =>
    Option.match(imap, { onNone: () => ({ has: () => Effect.succeedNone }), onSome: folderOf })
  )
)
