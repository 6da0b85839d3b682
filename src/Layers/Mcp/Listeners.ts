import { Array, Effect, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { jobOfUri, ResourceNews, urisOfEvent } from "../../Services/Mcp/ResourceNews.ts"

/** A client with an open stream. */
export interface Listener {
  readonly holder: TokenHolder
  /** The resources that the stream follows. Undefined for an older client, whose session lists them. */
  readonly uris: ReadonlySet<string> | undefined
  readonly session: string | undefined
  readonly tell: (uri: string) => void
  readonly keepAlive: () => void
  /** Checks whether the token is still valid, and closes the stream if not. */
  readonly check: () => void
  /** Ends the stream as the protocol requires. */
  readonly close: () => void
}

export interface Listeners {
  /** Returns false if the token has the most streams already. `since` is the current end of the account's feed. */
  readonly add: (listener: Listener, since: number) => boolean
  readonly remove: (listener: Listener) => void
}

const lookEvery = "1 second"
/** This and the next interval are in checks, one per `lookEvery`. */
const keepAliveEvery = 15
const checkEvery = 5
const streamsPerToken = 50

/**
 * All open streams of this process, with one loop. Every second, it looks for changes in the followed accounts. It
 * checks the tokens every five seconds and sends a keep-alive every fifteen. Without streams, it queries nothing.
 */
export const makeListeners = (isDraining: () => boolean): Effect.Effect<Listeners, never, ResourceNews | Scope.Scope> =>
  Effect.gen(function* () {
    const news = yield* ResourceNews
    const listeners = new Set<Listener>()
    const streams = new Map<number, number>()
    /** The position in the feed of each followed account. */
    const cursors = new Map<AccountId, number>()
    const waitingIn = new Map<AccountId, number>()
    /** The job states that each listener was last notified of. */
    const states = new WeakMap<Listener, Map<string, string>>()

    const count = <K>(counts: Map<K, number>, key: K, by: number): void => {
      const left = (counts.get(key) ?? 0) + by
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }

    /** A job that had already ended when it was first checked is reported too, because no later change will come. */
    const hasMoved = (listener: Listener, jobId: string, state: string): boolean => {
      const lastStates = states.get(listener) ?? new Map<string, string>()
      states.set(listener, lastStates)
      const before = lastStates.get(jobId)
      lastStates.set(jobId, state)
      return before === undefined ? /^(?:finished|failed|cancelled) /.test(state) : before !== state
    }

    const look: Effect.Effect<void, Transient> = Effect.gen(function* () {
      const waiting = [...listeners]
      const sessions = waiting.flatMap(({ holder, session }) =>
        session === undefined ? [] : [{ accountId: holder.accountId, session }]
      )
      const bySession = Array.groupBy(yield* news.followed(sessions), ({ session }) => session)
      const followed = waiting.flatMap((listener) => {
        const uris = listener.uris ?? new Set((bySession[listener.session ?? ""] ?? []).map(({ uri }) => uri))
        return uris.size === 0 ? [] : [{ listener, uris }]
      })
      const byAccount = Array.groupBy(followed, ({ listener }) => String(listener.holder.accountId))
      const watches = Array.dedupe(followed.map(({ listener }) => listener.holder.accountId)).map((accountId) => ({
        accountId,
        since: cursors.get(accountId) ?? 0,
        jobs: Array.dedupe(
          (byAccount[accountId] ?? []).flatMap(({ uris }) => [...uris].flatMap((uri) => jobOfUri(uri) ?? []))
        )
      }))
      for (const { accountId, cursor, events, jobs } of yield* news.since(watches)) {
        if (cursors.has(accountId)) cursors.set(accountId, cursor)
        const changed = new Set(events.flatMap(({ leadId, type }) => urisOfEvent(type, leadId)))
        for (const { listener, uris } of byAccount[accountId] ?? []) {
          for (const uri of changed) if (uris.has(uri)) listener.tell(uri)
          for (const { jobId, state } of jobs) {
            const uri = `job://${jobId}`
            if (uris.has(uri) && hasMoved(listener, jobId, state)) listener.tell(uri)
          }
        }
      }
    })

    let looks = 0
    const turn = Effect.suspend(() => {
      if (listeners.size === 0) return Effect.void
      looks++
      if (isDraining()) {
        for (const listener of [...listeners]) listener.close()
        return Effect.void
      }
      for (const listener of listeners) {
        if (looks % keepAliveEvery === 0) listener.keepAlive()
        if (looks % checkEvery === 0) listener.check()
      }
      // The database is unavailable. Nothing is missed, because the next check continues at the same position.
      return Effect.catchAll(look, () => Effect.void)
    })
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(lookEvery), turn)))

    return {
      add: (listener, since) => {
        const { accountId, tokenId } = listener.holder
        if ((streams.get(tokenId) ?? 0) >= streamsPerToken) return false
        count(streams, tokenId, 1)
        count(waitingIn, accountId, 1)
        listeners.add(listener)
        if (!cursors.has(accountId)) cursors.set(accountId, since)
        return true
      },
      remove: (listener) => {
        if (!listeners.delete(listener)) return
        const { accountId, tokenId } = listener.holder
        count(streams, tokenId, -1)
        count(waitingIn, accountId, -1)
        if (!waitingIn.has(accountId)) cursors.delete(accountId)
      }
    }
  })
