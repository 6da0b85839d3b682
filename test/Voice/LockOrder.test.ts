import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { VoiceCallCompletion } from "../../src/Layers/Voice/Calls/CallCompletion.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { eventually } from "../Jobs/support.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answeredResult, newNumber, placeCall, VoiceServices } from "./support.ts"

layer(VoiceServices, { excludeTestServices: true })("a call that ends while its lead answers", (it) => {
  it.effect("waits for the answer instead of holding what the answer needs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const { rows, end } = yield* VoiceCallCompletion
      const caller = yield* makeAccount()
      const me = as(caller)
      const phone = newNumber()
      const leadId = yield* me(insertLead({ phone }))
      const key = yield* me(placeCall(phone))
      const isHeld = yield* Deferred.make<void>()
      const goesOn = yield* Deferred.make<void>()

      // As the reader of replies does: the lead, and then the calls that wait.
      const answer = yield* Effect.fork(
        unit.write(
          Effect.gen(function* () {
            yield* sql`select from lead where account_id = ${caller.accountId} and lead_id = ${leadId} for update`
            yield* Deferred.succeed(isHeld, undefined)
            yield* Deferred.await(goesOn)
            return yield* sql`
              update voice_call set context = 'seen' where account_id = ${caller.accountId} and lead_id = ${leadId}
              returning status`
          }).pipe(Effect.orDie)
        )
      )
      yield* Deferred.await(isHeld)
      // As a call's end does: the call, and then the lead.
      const call = yield* Effect.fork(
        unit.write(
          Effect.gen(function* () {
            const row = yield* rows.lock(key)
            if (row !== undefined) yield* end([{ row, result: answeredResult }])
          })
        )
      )
      yield* eventually(isLockAwaited, (isAwaited) => isAwaited)
      yield* Deferred.succeed(goesOn, undefined)
      assert.deepStrictEqual(yield* Fiber.join(answer), [{ status: "queued" }])
      yield* Fiber.join(call)
      const ended = yield* sql`select status, context from voice_call where account_id = ${caller.accountId}`
      assert.deepStrictEqual(ended, [{ status: "completed", context: "seen" }])
    })
  )
})
