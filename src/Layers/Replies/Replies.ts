import { Effect, type Scope } from "effect"
import { readReply } from "../../Services/Outreach/OutreachTasks.ts"
import { type ReplyReader, ReplyReaderLayer } from "../../Services/Replies/Readers/ReplyReader.ts"
import { makeOldestTask } from "../Platform/Jobs/OldestTask.ts"
import * as Room from "../Platform/Room.ts"
import { makeReadReplyHandler, repliesRead } from "./ReadReply.ts"
import { warmReader } from "./WarmReader.ts"

// The reader is warmed up later, so that the start of the gateway is not delayed.
const warmLater: Effect.Effect<unknown, never, ReplyReader | Scope.Scope> = Effect.forkScoped(
  Effect.delay(warmReader, "3 seconds")
)

/** The room that reads replies of leads and acts on them. */
export const RepliesRoom = Room.make({
  layer: ReplyReaderLayer,
  tasks: Effect.map(makeReadReplyHandler, (handler) => [handler]),
  loops: warmLater,
  figures: Effect.map(Effect.zipRight(repliesRead.begin, makeOldestTask), (oldestTask) => [
    {
      name: "gateway_oldest_unread_reply_age_seconds",
      help: "How long the reply has waited that waits longest to be read; 0 where none waits.",
      read: oldestTask(readReply)
    }
  ])
})
