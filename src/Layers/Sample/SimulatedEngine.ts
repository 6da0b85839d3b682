import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Cron, Duration, Effect, Either, Option } from "effect"
import { Transient } from "../../Errors.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
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
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeEventQueue } from "./EventQueue.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"
import type { SimulatedTaskQueue, WaitingTask } from "./SimulatedTaskQueue.ts"

const hours = 3_600_000

/** Tasks after which no lead can be due sooner than before. */
const leavesSchedules: ReadonlySet<string> = new Set([
  "send_email",
  "send_urgent_email",
  "send_chatapp_message",
  "send_urgent_chatapp_message",
  "sandbox_chatapp_state",
  "follow_voice_call"
])

/** People who live by the moved clock: they do things at times of their own, and see what the platform does. */
export interface Watcher {
  readonly before: (task: WaitingTask) => Effect.Effect<void, Transient>
  readonly after: (task: WaitingTask) => Effect.Effect<void, Transient>
}

export interface SimulatedEngineOptions<T extends TaskHandler<unknown>, J extends JobHandler<unknown>> {
  readonly clock: SimulatedClock
  readonly queue: SimulatedTaskQueue
  readonly tasks: ReadonlyArray<T>
  readonly jobs: ReadonlyArray<J>
  readonly recurring: ReadonlyArray<Pick<Recurring, "name" | "cron" | "task" | "payload">>
}

/** A task that was given up, as the log of the real engine would tell it. */
export interface GivenUp {
  readonly task: string
  readonly cause: string
}

export interface SimulatedEngine {
  /** Has somebody do something at an instant (Unix milliseconds); one that has passed is now. */
  readonly at: (millis: number, act: Effect.Effect<void, Transient>) => void
  /** Moves the clock from one thing that is due to the next, does each, and leaves the clock at `end`. */
  readonly runUntil: (end: number, watcher: Watcher) => Effect.Effect<void, Transient>
  /** Does the tasks that are due at this instant, and nothing else. */
  readonly settle: Effect.Effect<void>
  readonly givenUp: ReadonlyArray<GivenUp>
}

const askedDelay = (cause: Cause.Cause<TaskError>): Duration.Duration => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return error instanceof Transient ? Duration.seconds(error.retryAfterSeconds) : Duration.seconds(1)
}

/** When there is something to claim next after `millis` on this clock: a lead's touch, or a notice of a meeting. */
const nextClaimAfter = (millis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const after = sql`to_timestamp(${millis / 1000}::float8)`
    const own = yield* sql<{ readonly accountId: number }>`
      select account_id as "accountId" from account where clock = test_clock()`
    const nexts = yield* Effect.forEach(unit.perAccount(own), (batch) => {
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
    // Up to the millisecond that the clock shows.
    return Math.ceil(Math.min(...nexts.map((rows) => single(rows).at ?? Infinity)))
  }).pipe(fromSql())

/**
 * Does by a moved clock what the job engine and the touch loop do by the real one: the same handlers, the same claims,
 * one after another, so that the same beginning always leads to the same end. Nobody waits for anything.
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

const make = <R>({ clock, jobs, queue, recurring, tasks }: SimulatedEngineOptions<TaskHandler<R>, JobHandler<R>>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R | Needs>()
    // As long as the gateway's loop rests between two looks at the leads.
    const rest = Duration.toMillis((yield* TouchLoopTiming).pause)
    const bound = [...tasks, ...backgroundJobHandlers(jobs)]
    const handlers = new Map(bound.map((handler) => [handler.task.name, handler]))
    const people = makeEventQueue<Effect.Effect<void, Transient>>()
    const givenUp: Array<GivenUp> = []

    const run = Effect.fnUntraced(function* (task: WaitingTask) {
      const handler = handlers.get(task.name)
      if (handler === undefined) return yield* Effect.dieMessage(`No handler is bound to ${task.name}.`)
      const info = { id: `${task.id}`, attempt: task.attempt, maxAttempts: task.maxAttempts }
      const exit = yield* Effect.exit(Effect.provide(handler.run(task.payload, info), context))
      if (exit._tag === "Success") return
      const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
      if (error instanceof TaskFailed || task.attempt >= task.maxAttempts) {
        givenUp.push({ task: task.name, cause: describeCause(exit.cause) })
        return
      }
      const delay = Duration.max(Duration.decode(handler.task.retryDelay(task.attempt)), askedDelay(exit.cause))
      queue.again(task, clock.now() + Math.ceil(Duration.toSeconds(delay)) * 1000)
    })

    const following = (cron: Cron.Cron): number => Cron.next(cron, new Date(clock.now())).getTime()
    const schedule = recurring.map((task) => {
      const cron = Either.getOrThrow(Cron.parse(task.cron, "UTC"))
      return { task, cron, at: following(cron) }
    })
    let claimedAt = clock.now() - 1

    const runRecurring = Effect.fnUntraced(function* () {
      for (const due of schedule.filter(({ at }) => at <= clock.now())) {
        const { payload, task } = due.task
        yield* run({ ...recurringTask, name: task, payload })
        due.at = following(due.cron)
      }
    })

    const engine: SimulatedEngine = {
      givenUp,
      at: (millis, act) => people.add(Math.max(millis, clock.now()), act),

      settle: Effect.gen(function* () {
        while ((queue.next() ?? Infinity) <= clock.now()) {
          const task = queue.take()
          if (task !== undefined) yield* run(task)
        }
      }),

      runUntil: (end, watcher) =>
        Effect.gen(function* () {
          let claimAt = Infinity
          let isClaimKnown = false
          while (true) {
            if (!isClaimKnown) {
              // Now and then without a known reason: a campaign that is resumed makes leads due that were passed over.
              const first = yield* Effect.provide(nextClaimAfter(claimedAt), context)
              claimAt = Math.min(first + rest, claimedAt + 3 * hours)
              isClaimKnown = true
            }
            const [taskAt, personAt] = [queue.next() ?? Infinity, people.next() ?? Infinity]
            const recurringAt = Math.min(...schedule.map(({ at }) => at))
            const next = Math.min(taskAt, personAt, recurringAt, claimAt)
            if (next > end) return clock.moveTo(end)
            clock.moveTo(next)
            if (taskAt <= next) {
              const task = queue.take()
              if (task === undefined) continue
              yield* watcher.before(task)
              yield* run(task)
              yield* watcher.after(task)
              if (!leavesSchedules.has(task.name)) isClaimKnown = false
            } else if (personAt <= next) {
              yield* people.take() ?? Effect.void
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
  attempt: 1,
  handOver: () => Effect.void
}
