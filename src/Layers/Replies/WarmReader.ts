import { Effect } from "effect"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import { replyClassifier } from "../../Services/Replies/Readers/ReplyClassifier.ts"
import { readByReader } from "../../Services/Replies/ReadReply.ts"
import { yieldToEventLoop } from "../Platform/Fairness/EventLoop.ts"

const warmUp = Effect.sync(() =>
  readByReader({
    text: "A plain sentence.",
    receivedAt: Timestamp.make("2026-01-05T12:00:00Z"),
    timeZone: "America/Sao_Paulo",
    country: "BR",
    leadLanguage: "pt-BR",
    ownContacts: []
  })
)

/** Loads the reader and reads one sentence, so that the first reply does not wait for that. */
export const warmReader: Effect.Effect<void> = yieldToEventLoop.pipe(
  Effect.zipRight(Effect.sync(replyClassifier)),
  Effect.zipRight(yieldToEventLoop),
  Effect.zipRight(warmUp),
  Effect.asVoid
)
