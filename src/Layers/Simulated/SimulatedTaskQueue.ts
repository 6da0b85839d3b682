import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, toMillis } from "../../Services/Core/Timestamp.ts"
import type { Task } from "../../Services/Jobs/Task.ts"
import { type EnqueueOptions, type JobKeyMode, TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { makeEventQueue } from "./EventQueue.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"
import type { TaskSource, WaitingTask } from "./SimulatedEngine.ts"

/** A task in memory. */
interface QueuedTask extends WaitingTask {
  /** Queues the same task in another queue. */
  readonly handOver: (queue: TaskQueue["Type"]) => Effect.Effect<void, Transient>
}

export interface SimulatedTaskQueue {
  readonly queue: TaskQueue["Type"]
  /** Wraps a unit of work so that a failed transaction also removes the tasks that it queued. */
  readonly bind: (unit: UnitOfWork["Type"]) => UnitOfWork["Type"]
  /** Returns when the first task is due, in Unix milliseconds. */
  readonly next: () => number | undefined
  /** Removes and returns the first task. */
  readonly take: () => QueuedTask | undefined
  /** Queues a task again after a failed attempt. */
  readonly requeue: (task: QueuedTask, runAt: number) => void
  readonly waiting: () => ReadonlyArray<QueuedTask>
}

/**
 * An in-memory task queue for one process under the simulated clock. Times, keys and transactions work as in the real
 * queue, and tasks are taken in order. Only one fiber may use it.
 */
export const makeSimulatedTaskQueue = (clock: SimulatedClock): SimulatedTaskQueue => {
  const eventQueue = makeEventQueue<QueuedTask>()
  const byKey = new Map<string, QueuedTask>()
  /** Functions that undo the tasks of open transactions, newest last. */
  const undo: Array<() => void> = []
  let open = 0
  let ids = 0

  const insert = (task: QueuedTask) => {
    eventQueue.add(task.runAt, task, task.priority)
    if (task.jobKey !== undefined) byKey.set(task.jobKey, task)
  }
  const removeTask = (task: QueuedTask) => {
    eventQueue.remove(task)
    if (task.jobKey !== undefined && byKey.get(task.jobKey) === task) byKey.delete(task.jobKey)
  }
  const applyChange = (act: () => void, takeBack: () => void) => {
    act()
    if (open > 0) undo.push(takeBack)
  }
  const put = (task: QueuedTask) =>
    applyChange(
      () => insert(task),
      () => removeTask(task)
    )
  const discard = (task: QueuedTask) =>
    applyChange(
      () => removeTask(task),
      () => insert(task)
    )

  const enqueue = <A>(
    task: Task<A>,
    payload: A,
    options: EnqueueOptions & { readonly jobKeyMode?: JobKeyMode | undefined }
  ) => {
    const { jobKey, jobKeyMode = "replace", maxAttempts = task.maxAttempts, priority = 0 } = options
    const existingTask = jobKey === undefined ? undefined : byKey.get(jobKey)
    if (existingTask !== undefined && jobKeyMode === "unsafe_dedupe") return
    if (existingTask !== undefined) discard(existingTask)
    const requestedAt = options.runAt === undefined ? clock.now() : toMillis(options.runAt)
    const runAt = existingTask !== undefined && jobKeyMode === "preserve_run_at" ? existingTask.runAt : requestedAt
    const stored: unknown = JSON.parse(JSON.stringify(task.encode(payload)))
    put({
      id: ++ids,
      name: task.name,
      payload: stored,
      runAt,
      priority,
      jobKey,
      maxAttempts,
      attempt: 1,
      handOver: (queue) => queue.enqueue(task, payload, { ...options, runAt: fromMillis(runAt) })
    })
  }

  const take = (): QueuedTask | undefined => {
    const task = eventQueue.take()
    if (task?.jobKey !== undefined && byKey.get(task.jobKey) === task) byKey.delete(task.jobKey)
    return task
  }
  const requeue = (task: QueuedTask, runAt: number): void =>
    insert({
      ...task,
      runAt,
      attempt: task.attempt + 1,
      // If another task was queued under the key, that one keeps the key.
      jobKey: task.jobKey !== undefined && byKey.has(task.jobKey) ? undefined : task.jobKey
    })

  return {
    queue: TaskQueue.of({
      enqueue: (task, payload, options = {}) => Effect.sync(() => enqueue(task, payload, options)),
      enqueueMany: (task, items, options = {}) =>
        Effect.sync(() => {
          for (const { payload, ...item } of items) enqueue(task, payload, { ...item, ...options })
        }),
      remove: (jobKey) =>
        Effect.sync(() => {
          const existingTask = byKey.get(jobKey)
          if (existingTask !== undefined) discard(existingTask)
        })
    }),

    bind: (unit) => ({
      ...unit,
      write: (effect) =>
        unit.write(
          Effect.suspend(() => {
            const mark = undo.length
            open += 1
            return effect.pipe(
              Effect.onExit((exit) =>
                Effect.sync(() => {
                  if (exit._tag === "Failure") for (const takeBack of undo.splice(mark).reverse()) takeBack()
                  open -= 1
                  if (open === 0) undo.length = 0
                })
              )
            )
          })
        )
    }),

    next: eventQueue.next,
    take,
    requeue,
    waiting: () => eventQueue.all().map(({ item }) => item)
  }
}

/** The queue in the form that the engine uses. */
export const simulatedSource = ({ next, requeue, take }: SimulatedTaskQueue): TaskSource => {
  const takenTasks = new Map<number, QueuedTask>()
  return {
    next: Effect.sync(next),
    take: (now) =>
      Effect.sync(() => {
        if ((next() ?? Infinity) > now) return undefined
        const task = take()
        if (task !== undefined) takenTasks.set(task.id, task)
        return task
      }),
    requeue: ({ id }, runAt) =>
      Effect.sync(() => {
        const task = takenTasks.get(id)
        takenTasks.delete(id)
        if (task !== undefined) requeue(task, runAt)
      }),
    end: ({ id }) => Effect.sync(() => void takenTasks.delete(id))
  }
}
