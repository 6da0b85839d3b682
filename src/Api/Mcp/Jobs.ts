import { Effect, Option, Schema } from "effect"
import { type NotFound, notFound, type Transient } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { Jobs, type JobView } from "../../Services/Jobs/Jobs.ts"
import { NumberLiteral, type RawValue } from "../../Tools/Core/ArgumentCoercion.ts"
import type { CallError, Catalog } from "../../Tools/Core/Catalog.ts"
import type { CallScope } from "./Toolbox.ts"

const isJobId = Schema.is(JobId)

/** The job with this id, which is untrusted. */
export const jobOf = (id: string): Effect.Effect<JobView, NotFound | Transient, Jobs | Caller> =>
  isJobId(id)
    ? Effect.flatMap(Jobs, (jobs) => jobs.get(id))
    : Effect.fail(notFound("background job", "job_id", id.slice(0, 100)))

export const hasEnded = ({ status }: JobView): boolean => status !== "queued" && status !== "running"

const progressEvery = 10_000
const lookEvery = 1_000

/** Reports progress to the client that asked for it. Values never decrease. */
const tellProgress = (scope: CallScope, progress: number, message: string): void => {
  const token = scope.meta["progressToken"]
  if (typeof token === "string" || typeof token === "number") {
    scope.notify("notifications/progress", { progressToken: token, progress, message })
  }
}

/**
 * Waits until the job has ended, at most `seconds`, and returns its current state. Hosts abort after a minute, so a
 * client that requested progress gets a message every ten seconds. Nothing is held between two checks.
 */
export const waitForJob = (
  id: string,
  seconds: number,
  scope: CallScope
): Effect.Effect<JobView, NotFound | Transient, Jobs | Caller> => {
  const look = (waited: number): Effect.Effect<JobView, NotFound | Transient, Jobs | Caller> =>
    Effect.flatMap(jobOf(id), (job) => {
      if (hasEnded(job) || waited >= seconds * 1000) return Effect.succeed(job)
      if (waited > 0 && waited % progressEvery === 0) {
        tellProgress(scope, waited / 1000, `${job.kind} is ${job.status}, ${job.progress} %`)
      }
      return Effect.zipRight(Effect.sleep(lookEvery), look(waited + lookEvery))
    })
  return look(0)
}

/** The tool that reads the result of a job, by the id of the job's subject. */
const readers: { readonly [kind: string]: { readonly tool: string; readonly parameter: string } } = {
  lead_import: { tool: "get_lead_import", parameter: "lead_import_id" }
}

/** Returns the result of a job: the answer of the tool that reads its subject, or else the job itself. */
export const resultOf = <R>(
  catalog: Catalog<R>,
  job: JobView,
  isAllowed: (tool: string) => boolean
): Effect.Effect<unknown, CallError, R | Caller> => {
  const reader = readers[job.kind]
  if (reader === undefined || job.subject_id === null || Option.isNone(catalog.get(reader.tool))) {
    return Effect.succeed(job)
  }
  if (!isAllowed(reader.tool)) return Effect.succeed(job)
  return catalog.call(
    reader.tool,
    new Map<string, RawValue>([[reader.parameter, new NumberLiteral(String(job.subject_id))]])
  )
}
