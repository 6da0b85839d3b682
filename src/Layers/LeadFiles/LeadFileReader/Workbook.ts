import { Duration, Effect, type Scope } from "effect"
import { LeadFileError } from "../../../Services/LeadFiles/LeadFile.ts"
import { startThread } from "../../Platform/Threads/Thread.ts"
import { allBytes, type ByteSource } from "./ByteSource.ts"
import type { RowBatches } from "./DelimitedText.ts"
import type { LeadFileLimits } from "./Limits.ts"
import type { WorkbookJob, WorkbookReply, WorkbookRequest } from "./WorkbookMessages.ts"

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

/** Takes a permit to read a workbook until the scope ends. Waiting for it can be interrupted. */
const acquirePermit = (permits: Effect.Semaphore) =>
  Effect.uninterruptibleMask((restore) =>
    restore(permits.take(1)).pipe(Effect.zipRight(Effect.addFinalizer(() => permits.release(1))))
  )

/**
 * Rows of an .xlsx or .xls file, parsed in a worker thread that ends with the scope. The thread sends a batch only on
 * request.
 */
export const workbookRows = <E>(
  source: ByteSource<E>,
  format: WorkbookJob["format"],
  limits: LeadFileLimits,
  permits: Effect.Semaphore
): Effect.Effect<RowBatches<E>, E | LeadFileError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* acquirePermit(permits)
    const bytes = yield* allBytes(source)
    const { unpackedBytes, zipEntries, zipRatio, rows } = limits
    const thread = yield* startThread<WorkbookRequest, WorkbookReply>(
      new URL("./startWorkbookWorker.js", import.meta.url),
      limits.workerHeapMegabytes
    )
    thread.tell({ format, bytes, limits: { unpackedBytes, zipEntries, zipRatio, rows } }, [bytes])
    return Effect.timeoutFail(thread.ask("next"), {
      duration: limits.batchTimeout,
      onTimeout: () => timedOut(limits.batchTimeout)
    }).pipe(
      Effect.catchTag("ThreadEnded", ({ cause, reason }) =>
        reason === "out_of_memory" ? Effect.fail(outOfMemory()) : Effect.die(cause)
      ),
      Effect.flatMap((reply) =>
        reply.kind === "rows" ? Effect.succeed(reply.rows) : Effect.fail(new LeadFileError(reply.refusal))
      )
    )
  })
