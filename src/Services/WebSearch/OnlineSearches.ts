import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { OnlineSearchId, SearchType } from "./Ids.ts"
import { SearchSourceView } from "./SearchAnswer.ts"

const Listed = Schema.Struct({
  online_search_id: OnlineSearchId,
  query: Schema.String,
  type: SearchType,
  status: JobStatus,
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String),
  job_id: JobId,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
})

/** A search without its answer. */
export const ListedSearch = Listed
export type ListedSearch = typeof ListedSearch.Type

export const OnlineSearch = Schema.Struct({
  ...Listed.fields,
  result: Schema.NullOr(Schema.String).annotations({
    description:
      "Markdown: one statement per line with the numbers of its sources in brackets, then the sources. It says so if nothing was found. Null until the search is finished."
  }),
  sources: Schema.Array(SearchSourceView),
  queries: Schema.Array(Schema.String).annotations({ description: "What was searched for." }),
  pages_read: Schema.Int,
  answered_by: Schema.NullOr(Schema.Literal("model", "rules")).annotations({
    description: "Who wrote the answer. By rules, it consists of sentences quoted from the pages."
  }),
  searched: Schema.NullOr(Schema.Literal("web", "own_material")).annotations({
    description: "Where it was searched: in sandbox only the account's own material."
  }),
  send_to: Schema.Array(Schema.String).annotations({ description: "Addresses that get the answer by mail." })
})
export type OnlineSearch = typeof OnlineSearch.Type

export class OnlineSearches extends Context.Tag("OnlineSearches")<
  OnlineSearches,
  {
    /** Call it in a transaction. */
    readonly register: (search: {
      readonly query: string
      readonly type: SearchType
      readonly sendTo: ReadonlyArray<string>
    }) => Effect.Effect<OnlineSearch, Refused | Transient, Caller>
    readonly get: (id: OnlineSearchId) => Effect.Effect<OnlineSearch, NotFound | Transient, Caller>
    /** The ten newest. */
    readonly list: Effect.Effect<ReadonlyArray<ListedSearch>, Transient, Caller>
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
    readonly ended: (job: JobHandler.EndedJob) => Effect.Effect<void, Transient, Caller>
  }
>() {}

export const onlineSearchKind = "online_search"

export const onlineSearchJob = JobHandler.make(onlineSearchKind, {
  // Each attempt calls a search engine, which may cost money.
  maxAttempts: 3,
  timeout: "10 minutes",
  run: (job) => Effect.flatMap(OnlineSearches, (searches) => searches.run(job)),
  ended: (job) => Effect.flatMap(OnlineSearches, (searches) => searches.ended(job))
})
