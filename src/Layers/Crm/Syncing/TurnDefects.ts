import { SqlClient } from "@effect/sql/SqlClient"
import { type Cause, Effect } from "effect"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { secondsAfterDefects } from "../../../Services/Crm/CrmRules.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { Incidents } from "../../../Services/Support/Incidents.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { serviceOf } from "../Calling/CrmSending.ts"
import type { DueCrm } from "./DueCrms.ts"

/** The reason that an account sees if a run failed because of the gateway. */
const reason = "internal_error"
const incidentKey = (crm: CrmName): string => `crm:${crm}:${reason}`

/**
 * Handles runs that failed because of the gateway. Each retry costs calls to the CRM, so the pauses grow. The account
 * sees the reason, and health shows it to the operator. An incident is open until the last such account has a
 * successful run.
 */
export const makeTurnDefects = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const incidents = yield* Incidents
  const health = yield* OutsideHealth

  const watchOf = (crm: CrmName) => health.watch(`${serviceOf(crm)}.sync`)

  const failed = Effect.fnUntraced(function* ({ accountId, crm, plan }: DueCrm, cause: Cause.Cause<unknown>) {
    yield* Effect.annotateLogs(Effect.logError("a CRM was not brought up to date"), {
      crm,
      account_id: accountId,
      cause: describeCause(cause)
    })
    yield* unit.write(
      Effect.gen(function* () {
        const [row] = yield* sql<{ readonly defects: number }>`
          update crm_integration set defects = defects + 1
          where account_id = ${accountId} and crm = ${crm} returning defects`.pipe(fromSql())
        const seconds = secondsAfterDefects(row?.defects ?? 1)
        yield* sql`
          update crm_integration set resumes_at = instant() + make_interval(secs => ${seconds}::float8)
          where account_id = ${accountId} and crm = ${crm}`.pipe(fromSql())
        yield* connections
          .noteCheck(serviceOf(crm), reason)
          .pipe(Effect.provideService(Caller, Caller.forTask(accountId, plan, `crm-${crm}`)))
      })
    )
    yield* Effect.flatMap(watchOf(crm), (watch) => watch.failed(reason))
    yield* incidents.report({
      key: incidentKey(crm),
      component: "crm",
      impact: "degradation",
      title: `${crm}: leads arrive late`,
      message: `An error of the platform keeps leads of some accounts from ${crm}. They are sent later. Nothing is lost.`
    })
  })

  const recovered = Effect.fnUntraced(function* ({ accountId, crm }: Pick<DueCrm, "accountId" | "crm">) {
    yield* sql`
      update crm_integration set defects = 0 where account_id = ${accountId} and crm = ${crm}`.pipe(fromSql())
    const others = yield* unit
      .acrossAccounts(sql`select from crm_integration i where i.crm = ${crm} and i.defects > 0 limit 1`)
      .pipe(fromSql())
    if (others.length > 0) return
    yield* Effect.flatMap(watchOf(crm), (watch) => watch.worked)
    yield* incidents.recover(incidentKey(crm), `${crm}: leads arrive on time again.`)
  })

  return { failed, recovered }
})
