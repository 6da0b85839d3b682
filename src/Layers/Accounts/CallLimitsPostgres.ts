import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Schedule } from "effect"
import { judgeCall, type LimitUse, minuteOf, type ToolCallLimits } from "../../Services/Accounts/CallLimit.ts"
import { CallLimits } from "../../Services/Accounts/CallLimits.ts"
import type { AccessTokenId, AccountId } from "../../Services/Accounts/Ids.ts"
import type { TokenHolder } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { Settings } from "../Platform/Settings.ts"

type Holder = Pick<TokenHolder, "accountId" | "tokenId">
type LimitedHolder = Pick<TokenHolder, "accountId" | "tokenId" | "callsPerMinute">

/** The number of calls of one token in one minute. */
interface Count extends Holder {
  /** The sum over all processes at the last exchange. */
  known: number
  /** Calls that are being written to the database now. */
  sending: number
  /** Calls counted in this process since then. */
  own: number
}

interface KnownRow {
  readonly account_id: AccountId
  readonly access_token_id: AccessTokenId
  readonly calls: number
}

const exchangeEvery = "1 second"

const ofCount = ({ known, own, sending }: Count): number => known + sending + own

type Counts = Map<AccountId, Map<AccessTokenId, Count>>

const makeLimits = ({ perAccount, perToken }: ToolCallLimits) => ({
  /** The owner may set a lower limit than the operator. */
  tokenLimit: ({ callsPerMinute }: LimitedHolder): number | undefined =>
    callsPerMinute === undefined || perToken === undefined
      ? (callsPerMinute ?? perToken)
      : Math.min(callsPerMinute, perToken),

  usesOf: (of: Counts, count: Count, limit: number | undefined): ReadonlyArray<LimitUse> => {
    const uses: Array<LimitUse> = []
    if (limit !== undefined) uses.push({ name: "token", limit, used: ofCount(count) })
    if (perAccount !== undefined) {
      let used = 0
      for (const each of of.get(count.accountId)?.values() ?? []) used += ofCount(each)
      uses.push({ name: "account", limit: perAccount, used })
    }
    return uses
  }
})

const make = Effect.gen(function* () {
  const { rateLimits } = yield* Settings
  const { perAccount } = rateLimits
  const { tokenLimit, usesOf } = makeLimits(rateLimits)
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const clock = yield* Effect.clock

  /** The latch is open while this minute has counts to exchange. */
  const called = yield* Effect.makeLatch(false)
  let minute = 0
  let counts: Counts = new Map()
  /** Only the current minute counts. Earlier minutes no longer limit calls. */
  const current = (millis: number) => {
    if (minuteOf(millis) !== minute) {
      minute = minuteOf(millis)
      counts = new Map()
    }
    return counts
  }

  const countOf = (of: Counts, { accountId, tokenId }: Holder): Count => {
    const tokens = of.get(accountId) ?? new Map<AccessTokenId, Count>()
    of.set(accountId, tokens)
    const count = tokens.get(tokenId) ?? { accountId, tokenId, known: 0, sending: 0, own: 0 }
    tokens.set(tokenId, count)
    return count
  }

  /** Publishes this process's counts, and reads the other processes' counts of the same accounts. */
  const exchange = Effect.suspend(() => {
    const of = current(clock.unsafeCurrentTimeMillis())
    const accounts = [...of.keys()]
    if (accounts.length === 0) {
      called.unsafeClose()
      return Effect.void
    }
    const countsToSend = accounts
      .flatMap((account) => [...(of.get(account)?.values() ?? [])])
      .filter(({ own }) => own > 0)
      .sort((a, b) => a.accountId - b.accountId || a.tokenId - b.tokenId)
    for (const count of countsToSend) {
      count.sending = count.own
      count.own = 0
    }
    const add = sql`
      insert into call_count (account_id, access_token_id, minute, calls)
      select * from unnest(${countsToSend.map(({ accountId }) => accountId)}::bigint[],
        ${countsToSend.map(({ tokenId }) => tokenId)}::bigint[], ${countsToSend.map(() => minute)}::bigint[],
        ${countsToSend.map(({ sending }) => sending)}::bigint[])
      on conflict (account_id, access_token_id, minute) do update set calls = call_count.calls + excluded.calls`
    const learn = sql<KnownRow>`
      select account_id, access_token_id, calls from call_count
      where account_id = any(${accounts}::bigint[]) and minute = ${minute}`
    return Effect.zipRight(
      countsToSend.length === 0 ? Effect.void : Effect.asVoid(add),
      Effect.map(learn, (rows) => {
        for (const count of countsToSend) count.sending = 0
        for (const { access_token_id: tokenId, account_id: accountId, calls } of rows) {
          countOf(of, { accountId, tokenId }).known = calls
        }
      })
    ).pipe(
      // Counts that could not be written are kept here, and written the next time.
      Effect.onError(() =>
        Effect.sync(() => {
          for (const count of countsToSend) {
            count.own += count.sending
            count.sending = 0
          }
        })
      )
    )
  })

  /** Before the first call, there is nothing to forget. */
  const forget = Effect.suspend(() =>
    minute === 0
      ? Effect.void
      : Effect.asVoid(
          unit.acrossAccounts(
            sql`delete from call_count where minute < ${minuteOf(clock.unsafeCurrentTimeMillis()) - 2}`
          )
        )
  )
  const inLoop = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchAllCause(effect, (cause) =>
      Effect.annotateLogs(Effect.logWarning("calls cannot be counted with other processes"), {
        cause: describeCause(cause)
      })
    ).pipe(Effect.withTracerEnabled(false))
  yield* Effect.forkScoped(
    Effect.repeat(Effect.zipRight(called.await, inLoop(exchange)), Schedule.spaced(exchangeEvery))
  )
  yield* Effect.forkScoped(Effect.repeat(inLoop(forget), Schedule.spaced("1 minute")))

  return {
    take: (holder: LimitedHolder) => {
      const limit = tokenLimit(holder)
      if (limit === undefined && perAccount === undefined) return undefined
      const millis = clock.unsafeCurrentTimeMillis()
      const of = current(millis)
      const count = countOf(of, holder)
      const verdict = judgeCall(usesOf(of, count, limit), millis)
      if (verdict.refusal === undefined) count.own++
      called.unsafeOpen()
      return verdict
    }
  }
})

/** Counts calls in this process and, within a second, in all of them. */
export const CallLimitsPostgres = Layer.scoped(CallLimits, make)
