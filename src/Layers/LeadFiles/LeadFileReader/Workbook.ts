import { Worker } from "node:worker_threads"
import { Duration, Effect, type Scope } from "effect"
import type { ImportRow } from "../../../Services/LeadFiles/ImportRow.ts"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"
import { allBytes, type ByteSource } from "./ByteSource.ts"
import type { RowBatches } from "./DelimitedText.ts"
import type { LeadFileLimits } from "./Limits.ts"
import type { WorkbookJob, WorkbookReply } from "./WorkbookMessages.ts"

const timedOut = (timeout: Duration.Duration) =>
  new LeadFileError({
    reason: "reading_timed_out",
    message: `The workbook could not be read within ${Duration.format(timeout)}.`,
    detail: "Keep only the columns to import, or save it as CSV."
  })

const outOfMemory = () =>
  new LeadFileError({
    reason: "too_large_when_unpacked",
    message: "The workbook needs more memory than an import may use.",
    detail: "Keep only the columns to import, or save it as CSV, which has no such limit."
  })

/** What the worker did last: answered, or ended. A worker that ends without an answer is out of memory, or a defect. */
type Outcome = WorkbookReply | { readonly kind: "ended"; readonly error: Error }

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const startWorker = (job: WorkbookJob, heapMegabytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = new Worker(new URL("./startWorkbookWorker.js", import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        // Nothing of this process is handed on to the thread that reads a stranger's file.
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true
      })
      // The parser complains on stderr, with cells' contents.
      worker.stdout.resume()
      worker.stderr.resume()
      let ended: Error | undefined
      let waiting: ((outcome: Outcome) => void) | undefined
      const end = (error: Error) => {
        ended ??= error
        waiting?.({ kind: "ended", error: ended })
      }
      worker
        .on("message", (reply: WorkbookReply) => waiting?.(reply))
        .on("error", end)
        .on("exit", (code) => end(new Error(`The workbook worker ended with code ${code}`)))
      worker.postMessage(job, [job.bytes])
      const ask = Effect.async<Outcome>((resume) => {
        if (ended !== undefined) return resume(Effect.succeed({ kind: "ended", error: ended }))
        waiting = (outcome) => {
          waiting = undefined
          resume(Effect.succeed(outcome))
        }
        worker.postMessage("next")
        return Effect.sync(() => {
          waiting = undefined
        })
      })
      return { worker, ask }
    }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  )

/** Holds one of the places for workbooks until the scope ends; waiting for it can be interrupted. */
const takePlace = (places: Effect.Semaphore) =>
  Effect.uninterruptibleMask((restore) =>
    restore(places.take(1)).pipe(Effect.zipRight(Effect.addFinalizer(() => places.release(1))))
  )

/**
 * Rows of an .xlsx or .xls file, parsed in a worker thread that is ended with the scope. The thread sends a batch
 * only when it is asked for one.
 */
export const workbookRows = <E>(
  source: ByteSource<E>,
  format: WorkbookJob["format"],
  limits: LeadFileLimits,
  places: Effect.Semaphore
): Effect.Effect<RowBatches<E>, E | LeadFileError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* takePlace(places)
    const bytes = yield* allBytes(source)
    const { unpackedBytes, zipEntries, zipRatio, rows } = limits
    const { ask } = yield* startWorker(
      { format, bytes, limits: { unpackedBytes, zipEntries, zipRatio, rows } },
      limits.workerHeapMegabytes
    )
    return Effect.timeoutFail(ask, {
      duration: limits.batchTimeout,
      onTimeout: () => timedOut(limits.batchTimeout)
    }).pipe(
      Effect.flatMap((outcome): Effect.Effect<ReadonlyArray<ImportRow>, LeadFileError> => {
        switch (outcome.kind) {
          case "rows":
            return Effect.succeed(outcome.rows)
          case "refused":
            return Effect.fail(new LeadFileError(outcome.refusal))
          case "ended":
            return isOutOfMemory(outcome.error) ? Effect.fail(outOfMemory()) : Effect.die(outcome.error)
        }
      })
    )
  })
