import type { TransferListItem } from "node:worker_threads"
import { Data, type Duration, Effect, Exit, Schedule, Scope } from "effect"
import { startThread, type Thread, ThreadEnded } from "./Thread.ts"
import type { PoolReply, PoolRequest } from "./ThreadProgram.ts"

/** No answer within the time that a request may take. */
export class ThreadTimedOut extends Data.TaggedError("ThreadTimedOut") {}

/** Threads that wait for requests, each of which may take a bounded time and a bounded memory. */
export interface ThreadPool<Request, Reply> {
  /** A thread whose request fails or is given up is ended at once, and another takes its place. */
  readonly ask: (
    request: Request,
    transfer?: ReadonlyArray<TransferListItem>
  ) => Effect.Effect<Reply, ThreadEnded | ThreadTimedOut>
}

export interface ThreadPoolOptions {
  /** Runs `serveCrew`. */
  readonly program: URL
  readonly heapMegabytes: number
  /** Threads at most; the first is started by the first request. */
  readonly size: number
  /** For one request, from when a thread takes it; the start of the thread comes on top. */
  readonly timeout: Duration.DurationInput
  /** How long a thread may take to be ready. */
  readonly startTimeout?: Duration.DurationInput
  /** How long an idle thread is kept at least. */
  readonly keep?: Duration.DurationInput
}

interface Member<Request, Reply> {
  readonly thread: Thread<PoolRequest<Request>, PoolReply<Reply>>
  readonly scope: Scope.CloseableScope
  isReady: boolean
  lastUse: number
}

/** Makes a crew; its threads end with the scope. */
export const makeThreadPool = <Request, Reply>({
  heapMegabytes,
  keep = "1 minute",
  program,
  size,
  startTimeout = "30 seconds",
  timeout
}: ThreadPoolOptions): Effect.Effect<ThreadPool<Request, Reply>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* Effect.scope
    const places = yield* Effect.makeSemaphore(size)
    let idle: Array<Member<Request, Reply>> = []
    let uses = 0

    const end = ({ scope }: Member<Request, Reply>) => Scope.close(scope, Exit.void)

    const start = Effect.gen(function* () {
      const scope = yield* Scope.fork(own, own.strategy)
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

    // Those that nobody used since the last look.
    let seen = 0
    const endIdle = Effect.suspend(() => {
      const unused = idle.filter(({ lastUse }) => lastUse <= seen)
      idle = idle.filter(({ lastUse }) => lastUse > seen)
      seen = uses
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
