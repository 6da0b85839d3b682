import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { type ReleaseSlot, TestGateways } from "../../src/Layers/TestGateways/TestGateways.ts"
import { testLane } from "../../src/Layers/TestGateways/TestLane.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { TestAccountId } from "../../src/Services/TestAccounts/Ids.ts"
import { type ServedTestAccount, TestAccounts } from "../../src/Services/TestAccounts/TestAccounts.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { testSettings } from "../support/servers/TestServer.ts"

const account: ServedTestAccount = {
  accountId: AccountId.make(1),
  testAccountId: TestAccountId.make(1),
  key: "0123456789",
  generation: 1,
  database: "none",
  name: "Stream",
  plan: "paid",
  country: null,
  startsAt: Timestamp.make("2026-11-30T12:00:00Z"),
  tokenHash: Buffer.alloc(32)
}

describe("a stream of a test account", () => {
  it.scopedLive("that loses its place before it begins is refused with the time to try again", () =>
    Effect.gen(function* () {
      let takePlace: ReleaseSlot = () => {}
      const nothing = Effect.dieMessage("not called")
      const gateways = TestGateways.of({
        open: (_, placeNeeded = () => {}) =>
          Effect.sync(() => {
            takePlace = placeNeeded
            return {
              handle: () => takePlace(),
              synchronise: Effect.void,
              wake: () => {},
              isAdvancing: Effect.succeed(false),
              view: nothing,
              advance: () => nothing,
              play: () => nothing,
              signIn: () => nothing,
              openSession: () => nothing,
              closeSession: () => nothing,
              revokeSecret: () => nothing
            }
          })
      })
      const lane = yield* testLane({ isDraining: () => false }).pipe(
        Effect.provideService(TestGateways, gateways),
        Effect.provideService(Settings, testSettings),
        Effect.provide(
          Layer.mock(TestAccounts, {
            servedByKey: () => Effect.succeedSome(account),
            isServed: () => Effect.succeed(true)
          })
        )
      )
      const { url } = yield* localHttpServer((request, response) => void lane(request, response))
      const answer = yield* Effect.promise(async () => {
        const response = await fetch(`${url}/test/${account.key}/platform/v1/events`)
        const body: unknown = await response.json()
        return { status: response.status, retryAfter: response.headers.get("retry-after"), body }
      })
      assert.deepInclude(answer, { status: 503, retryAfter: "30" })
      assert.deepInclude(answer.body, { type: "Transient", reason: "test_account_unavailable" })
    })
  )
})
