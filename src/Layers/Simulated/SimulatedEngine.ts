import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Cron, Duration, Effect, Either, Option } from "effect"
import { Transient } from "../../Errors.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import type { JobHandler } from "../../Services/Jobs/JobHandler.ts"
import type { JobRecords } from "../../Services/Jobs/JobRecords.ts"
import { TaskFailed } from "../../Services/Jobs/Task.ts"
import type { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import type { ModelOutages } from "../../Services/Models/ModelOutages.ts"
import { claimAllTouches, TouchLoopTiming } from "../Outreach/ClaimTouches.ts"
import { backgroundJobHandlers } from "../Platform/Jobs/BackgroundJob.ts"
import type { HandlerRequirements, JobRequirements } from "../Platform/Jobs/Engine.ts"
import type { Recurring } from "../Platform/Jobs/Recurring.ts"
import type { TaskError, TaskHandler } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, instantOf, single } from "../Platform/Postgres/Sql.ts"
import { makeEventQueue } from "./EventQueue.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"

const hours = 3_600_000

/** Tasks that never make a lead due earlier. */
const tasksThatKeepSchedules: ReadonlySet<string> = new Set([
  "send_email",
  "send_urgent_email",
  "send_chatapp_message",
  "send_urgent_chatapp_message",
  "sandbox_chatapp_state",
  "follow_voice_call"
])

/** A task that is queued under the simulated clock. */
export interface WaitingTask {
  readonly id: number
  readonly name: string
  /** The payload in its stored form. */
  readonly payload: unknown
  readonly runAt: number
  readonly priority: number
  readonly jobKey: string | undefined
  readonly maxAttempts: number
  /** The number of the next attempt, from 1. */
  readonly attempt: number
}

/** The queue from which the engine takes tasks, one at a time. */
export interface TaskSource {
  /** Reads when the first task is due, in Unix milliseconds. */
  readonly next: Effect.Effect<number | undefined, Transient>
  /** Takes the first task that is due at the instant. */
  readonly take: (now: number) => Effect.Effect<WaitingTask | undefined, Transient>
  /** Queues a task again after a failed attempt. */
  readonly requeue: (task: WaitingTask, runAt: number) => Effect.Effect<void, Transient>
  /** Removes a task that is done, or that failed for the last time. */
  readonly end: (task: WaitingTask, failure: string | undefined) => Effect.Effect<void, Transient>
}

/** Called before and after each task, so that simulated people can react. */
export interface Watcher {
  readonly before: (task: WaitingTask) => Effect.Effect<void, Transient>
  readonly after: (task: WaitingTask) => Effect.Effect<void, Transient>
}

/** Work under the same clock that is done outside the engine, such as the delivery of webhooks. */
export interface OutsideWork {
  /** Reads when the next work is due, in Unix milliseconds. The clock waits until it is done. */
  readonly next: Effect.Effect<number, Transient>
  /** Waits until due work may be done. */
  readonly wait: Effect.Effect<void>
}

/** Stores the engine's progress, if it must outlive the process. */
export interface EngineProgress {
  /** Recurring tasks up to this instant are done. */
  readonly recurringUntil: number
  /** Stores that the clock was moved. */
  readonly moved: (now: number) => Effect.Effect<void, Transient>
  /** Stores that the recurring tasks up to this instant are done. */
  readonly recurred: (until: number) => Effect.Effect<void, Transient>
}

export interface SimulatedEngineOptions<T extends TaskHandler<unknown>, J extends JobHandler<unknown>> {
  readonly clock: SimulatedClock
  readonly queue: TaskSource
  readonly progress?: EngineProgress
  readonly outside?: OutsideWork
  readonly tasks: ReadonlyArray<T>
  readonly jobs: ReadonlyArray<J>
  readonly recurring: ReadonlyArray<Pick<Recurring, "name" | "cron" | "task" | "payload">>
}

/** A task that failed for the last time. */
export interface FailedTask {
  readonly task: string
  readonly cause: string
}

export interface SimulatedEngine {
  /** Schedules an action for a time (Unix milliseconds). A time in the past means now. */
  readonly at: (millis: number, act: Effect.Effect<void, Transient>) => void
  /** Moves the clock from one due action to the next, runs each, and leaves the clock at `end`. */
  readonly runUntil: (end: number, watcher: Watcher) => Effect.Effect<void, Transient>
  /** Runs the tasks that are due at this instant. */
  readonly settle: Effect.Effect<void, Transient>
  readonly failedTasks: ReadonlyArray<FailedTask>
}

const requestedDelay = (cause: Cause.Cause<TaskError>): Duration.Duration => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return error instanceof Transient ? Duration.seconds(error.retryAfterSeconds) : Duration.seconds(1)
}

/** The next time after `millis` at which a touch or a meeting reminder may be due. */
const nextClaimAfter = (millis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const after = instantOf(sql, millis)
    const ofAccount = yield* sql<{ readonly accountId: number }>`
      select account_id as "accountId" from account where clock = test_clock()`
    const nexts = yield* Effect.forEach(unit.perAccount(ofAccount), (batch) => {
      const accounts = batch.map(({ accountId }) => accountId)
      return sql<{ readonly at: number | null }>`
        select extract(epoch from min(due.at))::float8 * 1000 as at from (
          select d.next_touch_at as at
          from (
            select account_id, 0::bigint as campaign from account where account_id = any (${accounts}::bigint[])
            union all
            select account_id, campaign_id from campaign where account_id = any (${accounts}::bigint[])
          ) track
          cross join lateral (
            select next_touch_at from lead l
            where l.account_id = track.account_id and coalesce(l.campaign_id, 0) = track.campaign
              and l.pipeline_state = 'in_pipeline' and l.paused_at is null and l.next_touch_at is not null
              and l.next_touch_at > ${after}
            order by l.next_touch_at limit 1
          ) d
          union all
          select notice.at from meeting m
          cross join lateral unnest(array[m.announce_at, m.remind_lead_at, m.starts_at - interval '24 hours',
            m.starts_at - interval '1 hour']) notice (at)
          where m.account_id = any (${accounts}::bigint[])
            and m.status in ('scheduled', 'confirmed') and m.starts_at > ${after} and notice.at > ${after}
        ) due`
    })
    // Rounded up to the clock's milliseconds.
    return Math.ceil(Math.min(...nexts.map((rows) => single(rows).at ?? Infinity)))
  }).pipe(fromSql())

/**
 * Does the work of the job engine and the touch loop under a simulated clock. It runs the same handlers and claims one
 * after another, so the same start always gives the same result.
 */
export const makeSimulatedEngine = <const T extends TaskHandler<unknown>, const J extends JobHandler<unknown>>({
  jobs,
  tasks,
  ...options
}: SimulatedEngineOptions<T, J>) =>
  make<HandlerRequirements<T> | JobRequirements<J>>({
    ...options,
    tasks: tasks as ReadonlyArray<TaskHandler<HandlerRequirements<T>>>,
    jobs: jobs as ReadonlyArray<JobHandler<JobRequirements<J>>>
  })

type Needs = SqlClient | UnitOfWork | TaskQueue | ModelOutages | MeetingNotices | JobRecords

const make = <R>({
  clock,
  jobs,
  outside,
  progress,
  queue,
  recurring,
  tasks
}: SimulatedEngineOptions<TaskHandler<R>, JobHandler<R>>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R | Needs>()
    // The pause between two claims is the same as in the gateway's loop.
    const claimPause = Duration.toMillis((yield* TouchLoopTiming).pause)
    const allHandlers = [...tasks, ...backgroundJobHandlers(jobs)]
    const handlers = new Map(allHandlers.map((handler) => [handler.task.name, handler]))
    const scheduledActions = makeEventQueue<Effect.Effect<void, Transient>>()
    const failedTasks: Array<FailedTask> = []

    const run = Effect.fnUntraced(function* (task: WaitingTask) {
      const handler = handlers.get(task.name)
      if (handler === undefined) return yield* Effect.dieMessage(`No handler is bound to ${task.name}.`)
      // A killed process had started the task, and it may not be repeated.
      if (task.attempt > task.maxAttempts) return yield* queue.end(task, "It was interrupted.")
      const info = { id: `${task.id}`, attempt: task.attempt, maxAttempts: task.maxAttempts }
      const exit = yield* Effect.exit(Effect.provide(handler.run(task.payload, info), context))
      if (exit._tag === "Success") return yield* queue.end(task, undefined)
      if (Cause.isInterrupted(exit.cause)) return yield* Effect.interrupt
      const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
      if (error instanceof TaskFailed || task.attempt >= task.maxAttempts) {
        const cause = describeCause(exit.cause)
        failedTasks.push({ task: task.name, cause })
        return yield* queue.end(task, cause)
      }
      const delay = Duration.max(Duration.decode(handler.task.retryDelay(task.attempt)), requestedDelay(exit.cause))
      yield* queue.requeue(task, clock.now() + Math.ceil(Duration.toSeconds(delay)) * 1000)
    })

    const nextRun = (cron: Cron.Cron, after = clock.now()): number => Cron.next(cron, new Date(after)).getTime()
    const schedule = recurring.map((task) => {
      const cron = Either.getOrThrow(Cron.parse(task.cron, "UTC"))
      return { task, cron, at: nextRun(cron, progress?.recurringUntil) }
    })
    // Stored progress does not include the last claim, so everything due is claimed first.
    let claimedAt = progress === undefined ? clock.now() - 1 : 0

    const runRecurring = Effect.fnUntraced(function* () {
      for (const due of schedule.filter(({ at }) => at <= clock.now())) {
        const { payload, task } = due.task
        yield* run({ ...recurringTask, name: task, payload })
        due.at = nextRun(due.cron)
      }
      yield* progress?.recurred(clock.now()) ?? Effect.void
    })

    const moveTo = (instant: number) =>
      Effect.suspend(() => {
        if (instant <= clock.now()) return Effect.void
        clock.moveTo(instant)
        return progress?.moved(clock.now()) ?? Effect.void
      })

    const engine: SimulatedEngine = {
      failedTasks,
      at: (millis, act) => scheduledActions.add(Math.max(millis, clock.now()), act),

      settle: Effect.gen(function* () {
        for (let task = yield* queue.take(clock.now()); task !== undefined; task = yield* queue.take(clock.now())) {
          yield* run(task)
        }
      }),

      runUntil: (end, watcher) =>
        Effect.gen(function* () {
          let claimAt = Infinity
          let isClaimKnown = false
          while (true) {
            if (!isClaimKnown) {
              // Checks at least every three hours, because some changes make leads due without a task, such as resuming
              // a campaign.
              const first = yield* Effect.provide(nextClaimAfter(claimedAt), context)
              claimAt = Math.min(first + claimPause, claimedAt + 3 * hours)
              isClaimKnown = true
            }
            const [taskAt, actionAt] = [(yield* queue.next) ?? Infinity, scheduledActions.next() ?? Infinity]
            const recurringAt = Math.min(...schedule.map(({ at }) => at))
            const outsideAt = outside === undefined ? Infinity : yield* outside.next
            const next = Math.min(taskAt, actionAt, recurringAt, claimAt, outsideAt)
            if (next > end) return yield* moveTo(end)
            yield* moveTo(next)
            if (taskAt <= next) {
              const task = yield* queue.take(clock.now())
              if (task === undefined) continue
              yield* watcher.before(task)
              yield* run(task)
              yield* watcher.after(task)
              if (!tasksThatKeepSchedules.has(task.name)) isClaimKnown = false
            } else if (outside !== undefined && outsideAt <= next) {
              yield* outside.wait
            } else if (actionAt <= next) {
              yield* scheduledActions.take() ?? Effect.void
              isClaimKnown = false
            } else if (recurringAt <= next) {
              yield* runRecurring()
            } else {
              claimedAt = clock.now()
              yield* Effect.provide(claimAllTouches, context)
              isClaimKnown = false
            }
          }
        })
    }
    return engine
  })

const recurringTask = {
  id: 0,
  runAt: 0,
  priority: 0,
  jobKey: undefined,
  maxAttempts: 1,
  attempt: 1
}
