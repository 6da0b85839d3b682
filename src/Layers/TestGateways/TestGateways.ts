import { Context, Deferred, Effect, Exit, Layer, Queue, Schedule, Scope } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { TestSessions } from "../../Services/Console/TestSessions.ts"
import { stopDryRun } from "../../Services/Core/Calls/DryRun.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { mostTestGateways } from "../../Services/Core/WorkerProcesses.ts"
import type { TestAccountId } from "../../Services/TestAccounts/Ids.ts"
import { type ServedTestAccount, TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import { liveAccountHasNoClock, TestClock, type TestClocks } from "../../Services/TestAccounts/TestClock.ts"
import { alwaysOutsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { continueAdvances } from "./ContinuedAdvances.ts"
import { makeTestDatabase } from "./MakeDatabase.ts"
import { makeTestSessions } from "./MakeTestSessions.ts"
import { dryRunService, makeTestGateway, type TestGateway } from "./TestGateway.ts"

/**
 * The most gateways that one account's test accounts may have in this process at once, to leave some for other
 * accounts.
 */
const mostAwakeOfAccount = 2
/** How long a gateway stays open after its last use, unless another one needs its slot. */
const idleTime = "2 minutes"

interface AwakeGateway {
  readonly account: ServedTestAccount
  readonly scope: Scope.CloseableScope
  readonly started: Deferred.Deferred<TestGateway, Transient>
  uses: number
  /** Uses that end when a call needs the slot. */
  readonly yielding: Set<ReleaseSlot>
  /** Counts uses, so that a timer notices newer ones. */
  turn: number
}

/** Ends a use that gives way to calls, such as an open stream. */
export type ReleaseSlot = () => void

const unavailable = transient("test_account_unavailable", "The test account cannot be reached for the moment.", 5)

/** Runs the gateways of test accounts on demand. */
export class TestGateways extends Context.Tag("TestGateways")<
  TestGateways,
  {
    /**
     * Starts the account's gateway if needed, and keeps it open while the scope is open. With `placeNeeded`, it is only
     * kept until a call needs its slot. Then `placeNeeded` is called.
     */
    readonly open: (
      account: ServedTestAccount,
      placeNeeded?: ReleaseSlot
    ) => Effect.Effect<TestGateway, Transient, Scope.Scope>
  }
>() {}

const make = Effect.gen(function* () {
  const layerScope = yield* Effect.scope
  const awake = new Map<string, AwakeGateway>()
  const interrupted = yield* Queue.unbounded<ServedTestAccount>()
  const services = yield* Effect.context<
    | Effect.Effect.Context<ReturnType<typeof makeTestGateway>>
    | Effect.Effect.Context<ReturnType<typeof makeTestDatabase>>
  >()

  const close = (entry: AwakeGateway) =>
    Effect.suspend(() => {
      if (awake.get(entry.account.key) === entry) awake.delete(entry.account.key)
      return Effect.asVoid(Effect.forkIn(Scope.close(entry.scope, Exit.void), layerScope))
    })

  /**
   * Frees a slot if possible. If the account has its maximum, only its own gateways are closed. A use that gives way
   * never replaces another one.
   */
  const makeRoom = (accountId: AccountId, givesWay: boolean) =>
    Effect.gen(function* () {
      const ownEntries = [...awake.values()].filter(({ account }) => account.accountId === accountId)
      const hasItsShare = ownEntries.length >= mostAwakeOfAccount
      if (!hasItsShare && awake.size < mostTestGateways) return
      const candidates = hasItsShare ? ownEntries : [...awake.values()]
      // The map is ordered by last use.
      const unused = candidates.find(({ uses }) => uses === 0)
      const yielding = givesWay ? undefined : candidates.find((entry) => entry.uses === entry.yielding.size)
      const freed = unused ?? yielding
      if (freed === undefined) return yield* unavailable
      for (const placeNeeded of freed.yielding) placeNeeded()
      yield* close(freed)
      // The stopped gateway's clock may have been advancing, so the advance is continued later.
      yield* Queue.offer(interrupted, freed.account)
    })

  const start = Effect.fnUntraced(function* (account: ServedTestAccount, givesWay: boolean) {
    yield* makeRoom(account.accountId, givesWay)
    const scope = yield* Scope.fork(layerScope, { _tag: "Sequential" })
    const started = yield* Deferred.make<TestGateway, Transient>()
    const entry: AwakeGateway = { account, scope, started, uses: 0, yielding: new Set(), turn: 0 }
    awake.set(account.key, entry)
    yield* makeTestDatabase(account.database).pipe(
      Effect.zipRight(Scope.extend(makeTestGateway(account), scope)),
      alwaysOutsideTransaction,
      Effect.provide(services),
      Effect.matchCauseEffect({
        onSuccess: (gateway) => Deferred.succeed(started, gateway),
        onFailure: (cause) =>
          Effect.logWarning("the gateway of a test account did not start").pipe(
            Effect.annotateLogs({ test_account_id: account.testAccountId, cause: describeCause(cause) }),
            Effect.zipRight(Deferred.fail(started, unavailable)),
            Effect.zipRight(close(entry))
          )
      }),
      Effect.withTracerEnabled(false),
      // Interruptible here, because the caller is uninterruptible.
      Effect.interruptible,
      Effect.forkIn(layerScope)
    )
    return entry
  })

  const release = (entry: AwakeGateway, placeNeeded: ReleaseSlot | undefined) =>
    Effect.suspend(() => {
      entry.uses -= 1
      if (placeNeeded !== undefined) entry.yielding.delete(placeNeeded)
      const turn = ++entry.turn
      if (entry.uses > 0) return Effect.void
      // A gateway of an older generation is no longer used.
      if (awake.get(entry.account.key) !== entry) return close(entry)
      const isIdle = () => entry.uses === 0 && entry.turn === turn
      const untilArrived = Effect.flatMap(Deferred.await(entry.started), ({ isAdvancing }) =>
        Effect.repeat(isAdvancing, { until: (is) => !is || !isIdle(), schedule: Schedule.spaced("1 second") })
      )
      return Effect.sleep(idleTime).pipe(
        Effect.zipRight(Effect.ignore(untilArrived)),
        Effect.zipRight(Effect.suspend(() => (isIdle() ? close(entry) : Effect.void))),
        Effect.interruptible,
        Effect.forkIn(layerScope),
        Effect.asVoid
      )
    })

  const take = (account: ServedTestAccount, placeNeeded: ReleaseSlot | undefined) =>
    Effect.gen(function* () {
      const existing = awake.get(account.key)
      if (existing !== undefined && existing.account.generation !== account.generation) {
        awake.delete(account.key)
        if (existing.uses === 0) yield* close(existing)
      }
      const entry = awake.get(account.key) ?? (yield* start(account, placeNeeded !== undefined))
      awake.delete(account.key)
      awake.set(account.key, entry)
      entry.uses += 1
      if (placeNeeded !== undefined) entry.yielding.add(placeNeeded)
      entry.turn += 1
      return entry
    })

  const open = (account: ServedTestAccount, placeNeeded?: ReleaseSlot) =>
    Effect.acquireRelease(take(account, placeNeeded), (entry) => release(entry, placeNeeded)).pipe(
      Effect.flatMap(({ started }) => Deferred.await(started)),
      Effect.tap(({ synchronise }) => synchronise)
    )

  yield* Effect.forkScoped(continueAdvances(interrupted, (account) => open(account, () => {})))
  return TestGateways.of({ open })
})

/** The clocks of an account's test accounts, for calls with a token of the account itself. */
const makeTestClock = Effect.gen(function* () {
  const accounts = yield* TestAccounts
  const gateways = yield* TestGateways
  const using = <A, E>(id: TestAccountId | undefined, use: (gateway: TestGateway) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      if (id === undefined) return yield* liveAccountHasNoClock
      const account = yield* accounts.served(id)
      return yield* Effect.scoped(Effect.flatMap(gateways.open(account), use))
    })
  const clocks: TestClocks = {
    get: (id) => using(id, ({ view }) => view),
    advance: (id, target) =>
      Effect.zipRight(
        stopDryRun(dryRunService),
        using(id, ({ advance }) => advance(target))
      ),
    play: (id, prospect) =>
      Effect.zipRight(
        stopDryRun(dryRunService),
        using(id, ({ play }) => play(prospect))
      )
  }
  return clocks
})

const makeSessions = Effect.flatMap(TestGateways, ({ open }) => makeTestSessions(open))

export const TestGatewaysLive = Layer.merge(
  Layer.effect(TestClock, makeTestClock),
  Layer.effect(TestSessions, makeSessions)
).pipe(Layer.provideMerge(Layer.scoped(TestGateways, make)))
