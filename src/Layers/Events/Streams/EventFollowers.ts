import { Array, Duration, Effect, Record } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { TokenHolder, TokenUse } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { AccountEvents, type EventType, followedAtOnce } from "../../../Services/Events/AccountEvents.ts"
import { makeAdaptivePoller, maximumIdle, type PollResult } from "../../Platform/AdaptivePoller.ts"
import type { CallerAccess } from "../../Platform/Http/CallerAccess.ts"
import { DatabasePools } from "../../Platform/Postgres/Database.ts"
import type { EventStream } from "./EventStream.ts"

/** An open stream, and how to check that its caller may still read. */
export interface Follower {
  readonly stream: EventStream
  readonly holder: TokenHolder
  readonly requestId: string
  readonly types: ReadonlyArray<EventType>
  /** The way in by which the stream came, and its credential there. */
  readonly access: CallerAccess
  readonly credential: string
  readonly use: TokenUse
}

export const streamLimits = { token: 20, account: 100, process: 2000 } as const

/** The interval in seconds. A stream whose token has ended is closed within this time and one look-up. */
const checkEvery = 4
const keepAliveEvery = 15

const shortestPause = Duration.millis(500)

const pollResult = (isMoreThere: boolean): PollResult => ({ found: isMoreThere })

interface Feed {
  /** The position up to which events were sent to all streams of the account. */
  cursor: number
  readonly streams: Set<EventStream>
}

const makeCounts = () => {
  const counts = new Map<string, number>()
  const limits = ({ accountId, tokenId }: TokenHolder) =>
    [
      [`token ${tokenId}`, streamLimits.token],
      [`account ${accountId}`, streamLimits.account],
      ["process", streamLimits.process]
    ] as const
  const add = (holder: TokenHolder, by: 1 | -1): void => {
    for (const [name] of limits(holder)) {
      const count = (counts.get(name) ?? 0) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    }
  }
  return {
    add,
    isFull: (holder: TokenHolder): boolean => limits(holder).some(([name, limit]) => (counts.get(name) ?? 0) >= limit)
  }
}

/** Ends the streams of one way in whose credential has ended. Those of one credential and client are checked once. */
const endEndedOf = (access: CallerAccess, open: ReadonlyArray<Follower>): Effect.Effect<void, Transient> => {
  const byCredential = Array.groupBy(open, ({ credential, use }) => `${credential} ${use.from}`)
  const groups = Record.values(byCredential)
  return Effect.map(access.haveEnded(groups.map(([{ credential, use }]) => ({ key: credential, use }))), (ended) => {
    for (const [index, same] of groups.entries()) {
      if (ended[index] === true) for (const { stream } of same) stream.end("token_ended")
    }
  })
}

/** Ends the streams whose credential has ended. If the database is unavailable, the next check follows in a few seconds. */
const endEnded = (followers: ReadonlySet<Follower>): Effect.Effect<void> => {
  const byAccess = new Map<CallerAccess, Array<Follower>>()
  for (const follower of followers) {
    const others = byAccess.get(follower.access)
    if (others === undefined) byAccess.set(follower.access, [follower])
    else others.push(follower)
  }
  return Effect.forEach(byAccess, ([access, open]) => Effect.ignore(endEndedOf(access, open)), { discard: true })
}

/**
 * Creates the event streams of this process. After a commit, one statement reads the new events of all followed
 * accounts. Without streams, nothing is read. A stream that starts at an earlier position first reads the events that
 * it missed.
 */
export const makeEventFollowers = (isDraining: () => boolean) =>
  Effect.gen(function* () {
    const events = yield* AccountEvents
    const { activity } = yield* DatabasePools
    const poller = yield* makeAdaptivePoller(activity, { shortest: shortestPause, longest: maximumIdle })
    const feeds = new Map<AccountId, Feed>()
    const followers = new Set<Follower>()
    const counts = makeCounts()
    const isFollowed = yield* Effect.makeLatch(false)

    const look = Effect.gen(function* () {
      const positions = [...feeds].map(([accountId, { cursor }]) => ({ accountId, since: cursor }))
      const news = yield* events.newer(positions)
      for (const { accountId, event } of news) {
        const feed = feeds.get(accountId)
        if (feed === undefined || event.cursor <= feed.cursor) continue
        feed.cursor = event.cursor
        for (const stream of feed.streams) stream.send(event)
      }
      return pollResult(news.length >= followedAtOnce)
    }).pipe(
      // The database is unavailable. The next poll continues at the same position.
      Effect.catchAll(() => Effect.succeed(pollResult(false)))
    )

    const check = Effect.suspend(() => endEnded(followers))

    let seconds = 0
    const tick = Effect.suspend(() => {
      if (followers.size === 0) {
        isFollowed.unsafeClose()
        return Effect.void
      }
      if (isDraining()) return Effect.sync(() => followers.forEach(({ stream }) => stream.end()))
      seconds++
      if (seconds % keepAliveEvery === 0) for (const { stream } of followers) stream.keepAlive()
      return seconds % checkEvery === 0 ? check : Effect.void
    })
    const untilFollowed = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.zipRight(isFollowed.await, effect)
    const background = Effect.withTracerEnabled(false)
    yield* Effect.forkScoped(background(Effect.forever(untilFollowed(Effect.zipRight(Effect.sleep("1 second"), tick)))))
    yield* Effect.forkScoped(
      background(
        untilFollowed(poller.poll(Effect.suspend(() => (feeds.size === 0 ? Effect.succeed(pollResult(false)) : look))))
      )
    )

    const leave = (follower: Follower): void => {
      if (!followers.delete(follower)) return
      const { accountId } = follower.holder
      counts.add(follower.holder, -1)
      const feed = feeds.get(accountId)
      feed?.streams.delete(follower.stream)
      if (feed?.streams.size === 0) feeds.delete(accountId)
    }

    /** Joins the account's feed if the stream has all events up to its position. */
    const join = ({ holder: { accountId }, stream }: Follower): boolean => {
      const feed = feeds.get(accountId)
      if (feed !== undefined && feed.cursor > stream.cursor) return false
      if (!stream.isOpen) return true
      // If the feed is behind the stream, no event is sent twice.
      if (feed === undefined) feeds.set(accountId, { cursor: stream.cursor, streams: new Set([stream]) })
      else feed.streams.add(stream)
      poller.wake()
      return true
    }

    /**
     * Sends the events that the stream missed, page by page as fast as the client reads, until it has reached the end
     * of the feed.
     */
    const catchUp = (follower: Follower): Effect.Effect<void, Transient, Caller> =>
      Effect.gen(function* () {
        const { stream, types } = follower
        while (stream.isOpen) {
          const page = yield* events.read({ since: stream.cursor, types, limit: followedAtOnce })
          for (const event of page.events) stream.send(event)
          stream.passTo(page.nextCursor)
          if (!page.hasMore && join(follower)) return
          yield* Effect.async<void>((resume) => stream.whenRead(() => resume(Effect.void)))
        }
      })

    return {
      latest: events.latest,
      /** Adds a stream if the limits allow one more, and returns whether it was added. It counts until `leave`. */
      enter: (follower: Follower): boolean => {
        if (counts.isFull(follower.holder)) return false
        counts.add(follower.holder, 1)
        followers.add(follower)
        isFollowed.unsafeOpen()
        return true
      },
      follow: (follower: Follower): Effect.Effect<void> =>
        catchUp(follower).pipe(
          Effect.provideService(Caller, { ...follower.holder, requestId: follower.requestId }),
          // The client reconnects and continues where it stopped.
          Effect.catchAll(() => Effect.sync(() => follower.stream.end()))
        ),
      leave
    }
  })
