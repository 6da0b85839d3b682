import { Effect, Schema } from "effect"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import { LearningId } from "../../Services/Learnings/Ids.ts"
import {
  DismissedLearning,
  FoundLearnings,
  Learning,
  Learnings,
  learningDays
} from "../../Services/Learnings/Learnings.ts"
import { outboundTransients } from "../../Services/Outbound/OutboundHttp.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const listProspectingLearnings = Tool.make("list_prospecting_learnings", {
  kind: "read",
  openWorld: false,
  description:
    "Lists what the results of the last 90 days prove: on which days and at which hours (by the account's clock) e-mails are answered, which kinds of messages and openings, regions and sectors reply more or less, and how many leads gave which reason for a refusal. Content says it in a sentence, Summary has the numbers: sample, rate, 95 % interval, and how likely such a difference is by chance, corrected for the number of comparisons. If there is enough data but no difference, that is listed too. Updated every night.",
  parameters: {},
  returns: Schema.Struct({
    learnings: Schema.Array(Learning),
    total: Schema.Int,
    days: Schema.Int,
    as_of: Schema.NullOr(Timestamp).annotations({ description: "When results were last evaluated; null if never." })
  }),
  example: {},
  run: Tool.via(Learnings, (learnings) =>
    Effect.map(learnings.list, ({ asOf, learnings: rows }) => ({
      learnings: rows,
      total: rows.length,
      days: learningDays,
      as_of: asOf
    }))
  )
})

const searchProspectingLearnings = Tool.make("search_prospecting_learnings", {
  kind: "read",
  replicaAllowed: true,
  openWorld: true,
  description:
    "Searches the learnings of list_prospecting_learnings by a question or some words of it, best answer first, at most ten.",
  parameters: { query: Param.text("The question, or some words of it.", { minLength: 1, maxLength: 2000 }) },
  returns: FoundLearnings,
  errors: { Transient: [...outboundTransients, "embeddings_unavailable"] },
  example: { query: "best day to send e-mails" },
  run: Tool.via(Learnings, (learnings, { query }) => learnings.search(query))
})

const dismissProspectingLearning = Tool.make("dismiss_prospecting_learning", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Hides a learning that is wrong or outdated, and stores the reason. The same claim stays hidden when results are evaluated again. Results and instructions do not change.",
  parameters: {
    learning_id: Param.id(LearningId, "The learning, as list_prospecting_learnings names it."),
    reason: Param.text("Why it is wrong or outdated.", { minLength: 1, maxLength: 2000 })
  },
  returns: DismissedLearning,
  errors: { NotFound: ["learning_not_found"] },
  example: { learning_id: 1, reason: "We changed the audience last month." },
  run: Tool.via(Learnings, (learnings, { learning_id, reason }) => learnings.dismiss(learning_id, reason))
})

export const ProspectingLearningsGroup = Tool.group(
  "Prospecting learnings",
  "What results prove, and what was only chance.",
  [listProspectingLearnings, searchProspectingLearnings, dismissProspectingLearning]
)
