import { Clock, Duration, Effect } from "effect"
import pg from "pg"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/**
 * A clock on which only waiting takes time. When there is nothing to do, it jumps to the next moment that something
 * waits for, in the gateway and in its database. `busy` reports work that the clock cannot see.
 */
export interface VirtualClock {
  readonly clock: Clock.Clock
  readonly now: () => number
}

/** Counts the running queries of all clients of this process, and reports when there are none. */
const watchQueries = () => {
  let underWay = 0
  let whenNone: (() => void) | undefined
  const counted = (target: { [name: string]: unknown }, name: string) => {
    const original = target[name]
    if (typeof original !== "function") return
    target[name] = function (this: unknown, ...args: Array<unknown>) {
      underWay += 1
      let isOver = false
      const over = () => {
        if (isOver) return
        isOver = true
        underWay -= 1
        if (underWay > 0) return
        const tell = whenNone
        whenNone = undefined
        tell?.()
      }
      const last = args.at(-1)
      if (typeof last === "function") {
        args[args.length - 1] = (...results: ReadonlyArray<unknown>): unknown => {
          over()
          const result: unknown = Reflect.apply(last, undefined, results)
          return result
        }
      }
      const result: unknown = Reflect.apply(original, this, args)
      if (result instanceof Promise) void result.then(over, over)
      else if (typeof last !== "function") over()
      return result
    }
  }
  counted(pg.Client.prototype as never, "query")
  counted(pg.Client.prototype as never, "connect")
  return {
    underWay: () => underWay,
    /** Calls only the latest callback, once. */
    onceNone: (tell: () => void) => {
      whenNone = tell
    }
  }
}

/** Makes the clock, and applies it to the database of `client`. */
export const makeVirtualClock = (client: pg.Client, start: number) =>
  Effect.promise(async (): Promise<VirtualClock> => {
    await client.query("create table virtual_clock (now timestamptz not null)")
    await client.query("insert into virtual_clock values (to_timestamp($1))", [start / 1000])
    await client.query(
      `create or replace function instant() returns timestamptz language sql stable parallel safe
        as 'select now from public.virtual_clock'`
    )
    const queries = watchQueries()
    const sleepers = new Set<Sleeper>()
    let now = start
    let isLooking = false
    let calm = 0
    const look = () => {
      if (queries.underWay() > 0) {
        calm = 0
        // The effects of the answer come first.
        queries.onceNone(() => setTimeout(look, 0))
        return
      }
      calm += 1
      if (calm < 2) {
        setImmediate(look)
        return
      }
      calm = 0
      let next: Sleeper | undefined
      for (const sleeper of sleepers) if (next === undefined || sleeper.at < next.at) next = sleeper
      if (next === undefined) {
        isLooking = false
        return
      }
      const { at } = next
      now = Math.max(now, at)
      void client.query("update virtual_clock set now = to_timestamp($1::float8)", [now / 1000]).then(() => {
        for (const sleeper of [...sleepers].filter((each) => each.at <= at)) {
          sleepers.delete(sleeper)
          sleeper.wake()
        }
        setTimeout(look, 0)
      })
    }
    const real = Clock.make()
    return {
      now: () => now,
      clock: {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => now,
        currentTimeMillis: Effect.sync(() => now),
        unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
        currentTimeNanos: real.currentTimeNanos,
        sleep: (duration) =>
          Effect.async<void>((resume) => {
            const sleeper = { at: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
            sleepers.add(sleeper)
            if (!isLooking) {
              isLooking = true
              setTimeout(look, 0)
            }
            return Effect.sync(() => sleepers.delete(sleeper))
          })
      }
    }
  })
