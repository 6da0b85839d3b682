import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Data, Duration, Effect, Exit, Layer, Option } from "effect"
import { databaseConflictReason, type ToolError } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { CallMode } from "../../../Services/Core/Calls/CallMode.ts"
import { DryRun, type OutsideEffect, shownEffects } from "../../../Services/Core/Calls/DryRun.ts"
import { DryRuns, dryRunSeconds, dryRunTooLong, dryRunUnsupported } from "../../../Services/Core/Calls/DryRuns.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { readingOwnChanges } from "../../../Services/Core/OwnChanges.ts"
import { fromSql, single } from "./Sql.ts"

/** Fails the transaction of a dry run, so that it is rolled back. It carries the outcome. */
class Undone extends Data.TaggedError("Undone")<{ readonly exit: Exit.Exit<unknown, ToolError> }> {}

const isLostRace = (failure: ToolError | undefined): failure is ToolError =>
  failure?._tag === "Transient" && failure.reason === databaseConflictReason

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  /**
   * Only the first statement of a transaction may set its isolation level. All statements then see one snapshot, so
   * counts differ only by the changes of the dry run itself.
   */
  const begin = Effect.zipRight(
    sql`set transaction isolation level repeatable read`,
    sql`select set_config('statement_timeout', ${`${dryRunSeconds}s`}, true)`
  ).pipe(fromSql())

  const pendingWebhooks = (accountId: AccountId) =>
    sql<{ readonly count: number }>`
      select count(*) as count from webhook_delivery where account_id = ${accountId} and status = 'pending'`.pipe(
      Effect.map((rows) => single(rows).count),
      fromSql()
    )

  const makeMode = (): CallMode => {
    const effects = new Map<OutsideEffect, number>()
    let stoppedBy: string | undefined
    const dryRun = DryRun.of({
      record: (effect, count) => effects.set(effect, (effects.get(effect) ?? 0) + count),
      stop: (service) => {
        stoppedBy ??= service
      }
    })

    return {
      changesNothing: true,
      headers: () => {
        const text = shownEffects(effects)
        return { "Dry-Run": "true", ...(text === "" ? {} : { "Dry-Run-Effects": text }) }
      },
      notice: () => {
        const text = shownEffects(effects)
        return `This was a dry run: nothing was changed or sent.${text === "" ? "" : ` It would have sent: ${text}.`}`
      },
      run: ({ tool }, work) =>
        Effect.gen(function* () {
          const { accountId } = yield* Caller
          // After a conflict, the next attempt starts from the beginning.
          effects.clear()
          yield* begin
          const before = yield* pendingWebhooks(accountId)
          const exit = yield* Effect.exit(readingOwnChanges(Effect.provideService(work, DryRun, dryRun)))
          if (stoppedBy !== undefined) {
            effects.clear()
            return yield* dryRunUnsupported(tool, stoppedBy)
          }
          const failure = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
          if (isLostRace(failure)) return yield* Effect.fail(failure)
          if (Exit.isSuccess(exit)) dryRun.record("webhook", (yield* pendingWebhooks(accountId)) - before)
          else effects.clear()
          return yield* new Undone({ exit })
        }).pipe(
          unit.write,
          Effect.timeoutFail({ duration: Duration.seconds(dryRunSeconds), onTimeout: dryRunTooLong }),
          Effect.catchTag("Undone", ({ exit }) => exit)
        )
    }
  }

  return DryRuns.of({ makeMode })
})

/** Runs dry runs in transactions that are rolled back. */
export const DryRunsPostgres = Layer.effect(DryRuns, make)
