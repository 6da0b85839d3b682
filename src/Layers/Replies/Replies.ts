import { Effect } from "effect"
import { ReplyReaderLayer } from "../../Services/Replies/ReplyReader.ts"
import * as Room from "../Platform/Room.ts"
import { makeReadReplyHandler } from "./ReadReply.ts"

/** What leads write, read and acted upon. */
export const RepliesRoom = Room.make({
  layer: ReplyReaderLayer,
  tasks: Effect.map(makeReadReplyHandler, (handler) => [handler])
})
