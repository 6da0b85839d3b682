import { Clock, Effect } from "effect"
import { type Transient, transient } from "../../../Errors.ts"

const minute = 60_000
/** Beyond this number, keys without a look-up in the last minute are dropped. */
const mostKeys = 10_000

interface Share {
  running: number
  started: number
  since: number
}

const tooMany: Transient = transient("overloaded", "Too many programs are being looked up for the moment.", 5)

/** Limits the look-ups of a key, by how many run at a time and how many start in a minute. Others fail at once. */
export const makeLookUpShares = (most: { readonly atATime: number; readonly inMinute: number }) => {
  const shares = new Map<string, Share>()

  const enter = (key: string, now: number): Share | undefined => {
    if (shares.size >= mostKeys) {
      for (const [other, { running, since }] of shares) if (running === 0 && now - since > minute) shares.delete(other)
    }
    const share = shares.get(key) ?? { running: 0, started: 0, since: now }
    if (now - share.since > minute) Object.assign(share, { started: 0, since: now })
    if (share.running >= most.atATime || share.started >= most.inMinute || shares.size >= 2 * mostKeys) return undefined
    share.running++
    share.started++
    shares.set(key, share)
    return share
  }

  return <A, E, R>(key: string, lookUp: Effect.Effect<A, E, R>): Effect.Effect<A, E | Transient, R> =>
    Effect.acquireUseRelease(
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const share = enter(key, now)
        return share === undefined ? Effect.fail(tooMany) : Effect.succeed(share)
      }),
      () => lookUp,
      (share) => Effect.sync(() => share.running--)
    )
}
