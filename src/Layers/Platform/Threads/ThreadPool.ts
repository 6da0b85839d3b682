import type { TransferListItem } from "node:worker_threads"
import { Data, type Duration, Effect, Exit, Schedule, Scope } from "effect"
import { startThread, type Thread, ThreadEnded } from "./Thread.ts"
import type { PoolReply, PoolRequest } from "./ThreadProgram.ts"

/** Fails a request that took longer than its time limit. */
export class ThreadTimedOut extends Data.TaggedError("ThreadTimedOut") {}

/** Threads that answer requests in bounded time and memory. */
export interface ThreadPool<Request, Reply> {
  /** Sends a request. A thread whose request fails or is abandoned ends at once, and another replaces it. */
  readonly ask: (
    request: Request,
    transfer?: ReadonlyArray<TransferListItem>
  ) => Effect.Effect<Reply, ThreadEnded | ThreadTimedOut>
}

export interface ThreadPoolOptions {
  /** The program of a thread, which calls `servePool`. */
  readonly program: URL
  readonly heapMegabytes: number
  /** The most threads. The first one starts with the first request. */
  readonly size: number
  /** The time limit of a request, from when a thread takes it. The start of the thread is not included. */
  readonly timeout: Duration.DurationInput
  /** The time limit for a thread to become ready. */
  readonly startTimeout?: Duration.DurationInput
  /** An idle thread lives at least this long. */
  readonly keep?: Duration.DurationInput
}

interface Member<Request, Reply> {
  readonly thread: Thread<PoolRequest<Request>, PoolReply<Reply>>
  readonly scope: Scope.CloseableScope
  isReady: boolean
  lastUse: number
}

/** Makes a pool whose threads end with the scope. */
export const makeThreadPool = <Request, Reply>({
  heapMegabytes,
  keep = "1 minute",
  program,
  size,
  startTimeout = "30 seconds",
  timeout
}: ThreadPoolOptions): Effect.Effect<ThreadPool<Request, Reply>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const poolScope = yield* Effect.scope
    const places = yield* Effect.makeSemaphore(size)
    let idle: Array<Member<Request, Reply>> = []
    let uses = 0

    const end = ({ scope }: Member<Request, Reply>) => Scope.close(scope, Exit.void)

    const start = Effect.gen(function* () {
      const scope = yield* Scope.fork(poolScope, poolScope.strategy)
      const thread = yield* Scope.extend(
        startThread<PoolRequest<Request>, PoolReply<Reply>>(program, heapMegabytes),
        scope
      )
      return { thread, scope, isReady: false, lastUse: 0 }
    })

    const take = Effect.suspend(() => {
      for (let member = idle.pop(); member !== undefined; member = idle.pop()) {
        if (member.thread.isAlive()) return Effect.succeed(member)
      }
      return start
    })

    const askMember = (
      { thread }: Member<Request, Reply>,
      request: PoolRequest<Request>,
      duration: Duration.DurationInput,
      transfer?: ReadonlyArray<TransferListItem>
    ) =>
      Effect.timeoutFail(thread.ask(request, transfer), { duration, onTimeout: () => new ThreadTimedOut() }).pipe(
        Effect.filterOrElse(
          ({ kind }) => kind !== "failed",
          () => new ThreadEnded({ reason: "defect", cause: new Error("The thread's program failed.") })
        )
      )

    // The number of uses at the previous check. A thread that was not used since then is idle.
    let usesAtLastCheck = 0
    const endIdle = Effect.suspend(() => {
      const unused = idle.filter(({ lastUse }) => lastUse <= usesAtLastCheck)
      idle = idle.filter(({ lastUse }) => lastUse > usesAtLastCheck)
      usesAtLastCheck = uses
      return Effect.forEach(unused, end, { discard: true })
    })
    yield* Effect.forkScoped(Effect.repeat(endIdle, Schedule.spaced(keep)))

    const use = (member: Member<Request, Reply>, request: Request, transfer?: ReadonlyArray<TransferListItem>) =>
      Effect.gen(function* () {
        if (!member.isReady) yield* askMember(member, { kind: "ready" }, startTimeout)
        member.isReady = true
        const answer = yield* askMember(member, { kind: "request", request }, timeout, transfer)
        if (answer.kind === "reply") return answer.reply
        return yield* new ThreadEnded({ reason: "defect", cause: new Error("The thread answered another question.") })
      })

    const giveBack = (member: Member<Request, Reply>) =>
      Effect.sync(() => {
        member.lastUse = ++uses
        idle.push(member)
      })

    return {
      ask: (request, transfer) =>
        Effect.acquireUseRelease(
          take,
          (member) => use(member, request, transfer),
          (member, exit) => (Exit.isSuccess(exit) ? giveBack(member) : end(member))
        ).pipe(places.withPermits(1))
    }
  })
