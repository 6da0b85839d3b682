import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import { type CheckedAttachment, checkAttachment } from "../../Services/ChatApp/ChatAppAttachment.ts"
import type { ChatAppMessageId } from "../../Services/ChatApp/ChatAppMessages.ts"
import type { ParkedMessage } from "../../Services/ChatApp/ChatAppParking.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { chatAppSendKey, sendUrgentChatAppMessage } from "../../Services/Outreach/OutreachTasks.ts"
import type { Touch } from "../../Services/Outreach/TouchTasks.ts"
import { single } from "../Platform/Postgres/Sql.ts"

/** The current file of a message, or why it cannot be sent. */
type ParkedFile =
  | { readonly _tag: "Found"; readonly file: CheckedAttachment }
  | { readonly _tag: "Gone"; readonly url: string; readonly reason: string }

/** An owner's message with its current file. */
export interface ReadyMessage {
  readonly text: string
  readonly file: ParkedFile | undefined
}

/** Sends the messages that the owner wrote for a lead's next touch, unchanged. */
export const makeParkedDelivery = Effect.gen(function* () {
  const chats = yield* ChatAppQueue
  const tasks = yield* TaskQueue
  const outbound = yield* OutboundHttp

  /** The file may have been deleted since. The text is then sent without it, and the failure is shown. */
  const look = (url: string, isLastAttempt: boolean): Effect.Effect<ParkedFile, Transient> =>
    checkAttachment(url).pipe(
      Effect.map((file): ParkedFile => ({ _tag: "Found", file })),
      Effect.catchTag("Refused", ({ reason }) => Effect.succeed<ParkedFile>({ _tag: "Gone", url, reason })),
      Effect.catchIf(
        () => isLastAttempt,
        ({ reason }) => Effect.succeed<ParkedFile>({ _tag: "Gone", url, reason })
      ),
      Effect.provideService(OutboundHttp, outbound)
    )

  return {
    /** Checks the messages' files. Run it outside transactions, because it may make requests. */
    withFiles: (messages: ReadonlyArray<ParkedMessage>, isLastAttempt: boolean) =>
      Effect.forEach(messages, ({ attachmentUrl, text }) =>
        Effect.map(
          attachmentUrl === undefined ? Effect.succeed(undefined) : look(attachmentUrl, isLastAttempt),
          (file): ReadyMessage => ({ text, file })
        )
      ),

    /**
     * Stores the messages in order and queues the task of the first. Each of the others is queued once the previous one
     * was sent.
     */
    queue: (touch: Touch, messageType: string, phone: string | null, messages: ReadonlyArray<ReadyMessage>) =>
      Effect.gen(function* () {
        const { accountId, leadId, touchId } = touch
        const insert = (row: {
          readonly body: string
          readonly follows: ChatAppMessageId | null
          readonly file?: ParkedFile | undefined
        }) => {
          const { body, file, follows } = row
          const available = file?._tag === "Found" ? file.file : undefined
          const missingFile = file?._tag === "Gone" ? file : undefined
          return Effect.map(
            chats.add([
              {
                accountId,
                leadId,
                touchId: follows === null ? touchId : null,
                messageType,
                phone,
                body,
                isVerbatim: true,
                media: available ?? (missingFile === undefined ? undefined : { url: missingFile.url }),
                follows,
                failure: missingFile?.reason
              }
            ]),
            single
          )
        }
        let first: ChatAppMessageId | null = null
        for (const { file, text } of messages) {
          const id: ChatAppMessageId = yield* insert({ body: text, follows: first })
          if (file !== undefined) yield* insert({ body: "", follows: id, file })
          first ??= id
        }
        if (first === null) return
        yield* tasks.enqueue(
          sendUrgentChatAppMessage,
          { accountId, chatAppMessageId: first },
          { jobKey: chatAppSendKey(accountId, first) }
        )
      })
  }
})
