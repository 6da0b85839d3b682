import { Context, Effect, Exit, Layer, Stream } from "effect"
import { Client, type ClientOptions } from "./client.ts"
import { type ErrorOf, GatewayError } from "./errors.ts"
import { type AccountEvent, type EventFeedOptions, eventFeed } from "./events.ts"
import type { listAccountEvents, listBackgroundJobs } from "./generated/tools.ts"
import { type Job, JobFailed, type WaitOptions, waitForJob as waitForJobPromise } from "./jobs.ts"
import { each } from "./pages.ts"
import type { PagedTool, Rest, RowOf, Tool } from "./tool.ts"

/** A client of the gateway. */
export class Gateway extends Context.Tag("@prospecting-gateway/client/Gateway")<Gateway, Client>() {
  static readonly layer = (options: ClientOptions): Layer.Layer<Gateway> =>
    Layer.sync(Gateway, () => new Client(options))
}

/** Names the failure as one of the tool's. Anything else that was thrown is a defect. */
function failureOf<E>(cause: unknown): E
function failureOf(cause: unknown): unknown {
  if (cause instanceof GatewayError || cause instanceof JobFailed) return cause
  throw cause
}

/** Runs with a signal that interruption aborts. */
const attempt = <A, E>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, E> =>
  Effect.tryPromise({ try: run, catch: (cause) => failureOf<E>(cause) })

/**
 * Calls a tool. Effect's `catchTag` takes the types of errors that the tool publishes:
 * `call(getLead, { lead_id: 12 }).pipe(Effect.catchTag("NotFound", …))`.
 */
export const call = <Args extends object, Answer, Reasons>(
  tool: Tool<Args, Answer, Reasons>,
  ...[args, options]: Rest<Args>
): Effect.Effect<Answer, ErrorOf<Tool<Args, Answer, Reasons>>, Gateway> =>
  Effect.flatMap(Gateway, (client) => attempt((signal) => client.call<Answer>(tool.tool, args, { ...options, signal })))

/** The rows of all pages of a list. */
export const rows = <Args extends object, Answer extends object, Reasons, Key extends keyof Answer>(
  tool: PagedTool<Args, Answer, Reasons, Key>,
  ...rest: Rest<Args>
): Stream.Stream<RowOf<Answer, Key>, ErrorOf<Tool<Args, Answer, Reasons>>, Gateway> =>
  Stream.unwrap(
    Effect.map(Gateway, (client) =>
      Stream.fromAsyncIterable(each(client, tool, ...rest), (cause) =>
        failureOf<ErrorOf<Tool<Args, Answer, Reasons>>>(cause)
      )
    )
  )

/** The account's events from a cursor on, without an end. Each has its `cursor`. */
export const events = (
  options: Omit<EventFeedOptions, "signal"> = {}
): Stream.Stream<AccountEvent, ErrorOf<typeof listAccountEvents>, Gateway> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const client = yield* Gateway
      const controller = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (aborting) => Effect.sync(() => aborting.abort())
      )
      return Stream.fromAsyncIterable(eventFeed(client, { ...options, signal: controller.signal }), (cause) =>
        failureOf<ErrorOf<typeof listAccountEvents>>(cause)
      )
    })
  )

/** Waits until a background job is finished. */
export const waitForJob = (
  jobId: string,
  options: Omit<WaitOptions, "signal" | "onProgress"> = {}
): Effect.Effect<Job, JobFailed | ErrorOf<typeof listBackgroundJobs>, Gateway> =>
  Effect.flatMap(Gateway, (client) => attempt((signal) => waitForJobPromise(client, jobId, { ...options, signal })))

/** The states of a background job until it is finished, each that differs from the one before. */
export const jobProgress = (
  jobId: string,
  options: Omit<WaitOptions, "signal" | "onProgress"> = {}
): Stream.Stream<Job, JobFailed | ErrorOf<typeof listBackgroundJobs>, Gateway> =>
  Stream.unwrap(
    Effect.map(Gateway, (client) =>
      Stream.asyncPush<Job, JobFailed | ErrorOf<typeof listBackgroundJobs>>(
        (emit) => {
          const onProgress = (job: Job) => void emit.single(job)
          const wait = attempt<Job, JobFailed | ErrorOf<typeof listBackgroundJobs>>((signal) =>
            waitForJobPromise(client, jobId, { ...options, signal, onProgress })
          )
          return Effect.forkScoped(
            Effect.map(Effect.exit(wait), (exit) => (Exit.isSuccess(exit) ? emit.end() : emit.halt(exit.cause)))
          )
        },
        { bufferSize: "unbounded" }
      )
    )
  )
