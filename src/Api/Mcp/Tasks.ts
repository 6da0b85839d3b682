import { Effect } from "effect"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Jobs, type JobView } from "../../Services/Jobs/Jobs.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import { failedBy } from "./CatalogTools.ts"
import { jobOf, resultOf } from "./Jobs.ts"
import {
  codes,
  invalidParams,
  isObject,
  type JsonObject,
  membersOf,
  objectOf,
  type Problem,
  problem,
  type ResultMembers
} from "./Protocol.ts"
import type { ScopeGuard } from "./ScopeGuard.ts"
import { answered, type CallScope, failed, type Outcome } from "./Toolbox.ts"

export const tasksExtension = "io.modelcontextprotocol/tasks"

/** The interval in milliseconds at which a client should poll. */
const pollInterval = 2_000

/** True if the client accepts a task as an answer. */
export const takesTasks = ({
  capabilities,
  era
}: {
  readonly capabilities: JsonObject
  readonly era: string
}): boolean => era === "modern" && isObject(objectOf(capabilities["extensions"])[tasksExtension])

const statusOf = ({ status }: JobView): string => {
  switch (status) {
    case "queued":
    case "running":
      return "working"
    case "cancelled":
      return "cancelled"
    case "finished":
    case "failed":
      return "completed"
  }
}

const taskFields = (job: JobView): JsonObject => ({
  taskId: job.job_id,
  status: statusOf(job),
  statusMessage: `${job.kind} is ${job.status}, ${job.progress} %`,
  createdAt: job.created_at,
  lastUpdatedAt: job.finished_at ?? job.started_at ?? job.created_at,
  // Jobs are not deleted from the account's list.
  ttlMs: null,
  pollIntervalMs: pollInterval
})

const unknownTask = invalidParams("There is no task with this id.")

const notNow = problem(503, codes.internalError, "The task cannot be looked up for now. Repeat the call.")

const lookedUp = (params: JsonObject, lack: Problem | undefined): Effect.Effect<JobView, Problem, Jobs | Caller> => {
  if (lack !== undefined) return Effect.fail(lack)
  const id = params["taskId"]
  return typeof id !== "string"
    ? Effect.fail(unknownTask)
    : Effect.mapError(jobOf(id), ({ _tag }) => (_tag === "NotFound" ? unknownTask : notNow))
}

/**
 * The answer of a call that starts background work: a task if the client accepts one, once the job is in the database.
 * Otherwise the tool's answer with the job's id.
 */
export const answerOrTask = <R>(
  call: Effect.Effect<Outcome, Problem, R>,
  scope: CallScope
): Effect.Effect<Outcome, Problem, R | Jobs | Caller> =>
  takesTasks(scope)
    ? Effect.flatMap(call, (outcome) => {
        const { isError, structuredContent } = objectOf(JSON.parse(`{${outcome.members}}`))
        const id = objectOf(structuredContent)["job_id"]
        if (isError === true || typeof id !== "string") return Effect.succeed(outcome)
        return Effect.map(
          lookedUp({ taskId: id }, undefined),
          (job): Outcome => ({ type: "task", members: membersOf(taskFields(job)) })
        )
      })
    : call

const link = (job: JobView): JsonObject => ({
  type: "resource_link",
  uri: `job://${job.job_id}`,
  name: job.kind,
  mimeType: "application/json"
})

/** A tool's answer with a link to its job after the text. */
const linked = ({ members }: Outcome, job: JobView): ResultMembers => {
  const result = objectOf(JSON.parse(`{${members}}`))
  const content: ReadonlyArray<unknown> = Array.isArray(result["content"]) ? result["content"] : []
  return membersOf({ ...result, content: [...content, link(job)] })
}

export interface TaskBox<out R> {
  readonly get: (params: JsonObject, scope: CallScope) => Effect.Effect<ResultMembers, Problem, R>
  readonly update: (params: JsonObject, scope: CallScope) => Effect.Effect<ResultMembers, Problem, R>
  readonly cancel: (params: JsonObject, scope: CallScope) => Effect.Effect<ResultMembers, Problem, R>
}

/** Background jobs as tasks. They share id, status and cancellation. */
export const jobTasks = <R>(catalog: Catalog<R>, guard: ScopeGuard): TaskBox<R | Jobs | Caller> => ({
  get: (params, scope) =>
    Effect.flatMap(
      lookedUp(params, guard.lack(scope, { kind: "read" })),
      (job): Effect.Effect<ResultMembers, Problem, R | Caller> => {
        if (statusOf(job) !== "completed") return Effect.succeed(membersOf(taskFields(job)))
        return resultOf(catalog, job, (tool) => guard.lack(scope, guard.needOfTool(tool)) === undefined).pipe(
          Effect.match({
            onSuccess: (answer) => {
              const body = JSON.stringify(answer)
              return job.status === "failed" ? failed({ body, status: 200 }) : answered(body)
            },
            onFailure: failedBy
          }),
          Effect.map(
            (outcome) => `${membersOf(taskFields(job))},"result":{"resultType":"complete",${linked(outcome, job)}}`
          )
        )
      }
    ),
  // Tasks of the gateway ask no questions, so updates are accepted and ignored.
  update: (params, scope) => Effect.as(lookedUp(params, guard.lack(scope, { kind: "write" })), ""),
  cancel: (params, scope) =>
    Effect.flatMap(lookedUp(params, guard.lack(scope, { kind: "write" })), ({ job_id }) =>
      Effect.flatMap(Jobs, (jobs) => jobs.cancel(job_id)).pipe(
        // A task that has ended cannot be cancelled, which is not a protocol error.
        Effect.catchAll((failure) => (failure._tag === "Transient" ? Effect.fail(notNow) : Effect.void)),
        Effect.as("")
      )
    )
})
