import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { ConversationsPostgres } from "./ConversationsPostgres.ts"
import { conversationRecurring, conversationTasks } from "./MessageMeanings.ts"

/** All that was written with leads and with the owner, and the search through it. */
export const ConversationsRoom = Room.make({
  layer: ConversationsPostgres,
  tasks: Effect.succeed(conversationTasks),
  recurring: conversationRecurring
})
