import { type TransferListItem, Worker } from "node:worker_threads"
import { Data, Effect, type Scope } from "effect"

/**
 * Fails a request whose thread ended without an answer: the request needs too much memory, or the program has a defect.
 */
export class ThreadEnded extends Data.TaggedError("ThreadEnded")<{
  readonly reason: "out_of_memory" | "defect"
  readonly cause: Error
}> {}

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/** A thread that answers one request at a time. */
export interface Thread<Request, Reply> {
  readonly ask: (request: Request, transfer?: ReadonlyArray<TransferListItem>) => Effect.Effect<Reply, ThreadEnded>
  /** Sends a message that gets no answer. The thread reads it before other requests. */
  readonly tell: (request: Request, transfer?: ReadonlyArray<TransferListItem>) => void
  /** True if the thread accepts another request. */
  readonly isAlive: () => boolean
}

/**
 * Starts a thread with bounded memory that ends with the scope, even in the middle of its work. It parses untrusted input:
 * a parser that hangs there blocks no one else.
 */
export const startThread = <Request, Reply>(
  program: URL,
  heapMegabytes: number
): Effect.Effect<Thread<Request, Reply>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = new Worker(program, {
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        // A thread that reads untrusted files gets no environment variables of this process.
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true
      })
      // Parsers quote their input on stderr, which must not reach the logs.
      worker.stdout.resume()
      worker.stderr.resume()
      // An idle thread does not keep the process running.
      worker.unref()
      let ended: ThreadEnded | undefined
      let waiting: ((outcome: Effect.Effect<Reply, ThreadEnded>) => void) | undefined
      const end = (cause: Error) => {
        ended ??= new ThreadEnded({ reason: isOutOfMemory(cause) ? "out_of_memory" : "defect", cause })
        waiting?.(Effect.fail(ended))
      }
      worker
        .on("message", (reply: Reply) => waiting?.(Effect.succeed(reply)))
        .on("messageerror", end)
        .on("error", end)
        .on("exit", (code) => end(new Error(`The thread ended with code ${code}`)))
      const tell = (request: Request, transfer: ReadonlyArray<TransferListItem> = []) =>
        worker.postMessage(request, [...transfer])
      const thread: Thread<Request, Reply> = {
        tell,
        ask: (request, transfer) =>
          Effect.async((resume) => {
            if (ended !== undefined) return resume(Effect.fail(ended))
            waiting = (outcome) => {
              waiting = undefined
              resume(outcome)
            }
            tell(request, transfer)
            return Effect.sync(() => {
              waiting = undefined
            })
          }),
        isAlive: () => ended === undefined
      }
      return { worker, thread }
    }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  ).pipe(Effect.map(({ thread }) => thread))
