import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { refused } from "../../../Errors.ts"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Crm } from "../../../Services/Crm/Crm.ts"
import type { CrmLeadSource } from "../../../Services/Crm/CrmModel.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { adapters } from "../Adapters/Adapters.ts"
import { credentialsOf, makeCrmClients, serviceOf } from "../Calling/CrmSending.ts"
import { CrmTransport } from "../Calling/CrmTransport.ts"
import { checkFailed } from "../Connecting/CrmRefusals.ts"

/** Makes the setting of which contacts of a CRM become leads. */
export const makeContactSource = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const transport = yield* CrmTransport
  const clients = yield* makeCrmClients

  const sourceOf = Effect.fnUntraced(function* (crmName: CrmName) {
    const { accountId } = yield* Caller
    const [row] = yield* sql<Omit<CrmLeadSource, "crm_name" | "status" | "mode">>`
      select pipeline_id, stage_id as deal_stage_id, created_count, passed_count, warning,
        case when read_at > '-infinity' then read_at end as last_read_at
      from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
    const source: CrmLeadSource = {
      crm_name: crmName,
      status: row === undefined ? "disabled" : "enabled",
      mode: transport.mode,
      pipeline_id: null,
      deal_stage_id: null,
      created_count: 0,
      passed_count: 0,
      warning: null,
      last_read_at: null,
      ...row
    }
    return source
  })

  const source: Pick<Crm["Type"], "enableSource" | "disableSource" | "source"> = {
    source: Effect.fn("Crm.source")(sourceOf),

    enableSource: Effect.fn("Crm.enableSource")(function* (crmName, { pipelineId, stageId }) {
      const { accountId } = yield* Caller
      const service = serviceOf(crmName)
      const secrets = yield* connections.secrets(service)
      const given = credentialsOf(Option.getOrElse(secrets, () => ({})))
      const reached = yield* clients(adapters[crmName], given, { isWaitedFor: true })
      const { client } = reached
      if (client?.contacts === undefined || Option.isNone(secrets)) {
        return yield* refused(
          "crm_token_needed",
          `Contacts are read with a CRM token of ${crmName}, and none is connected; a marketing key can only be written to.`,
          "Connect it with connect_crm and crm_token first.",
          { crm_name: crmName }
        )
      }
      if (stageId !== undefined && pipelineId === undefined) {
        return yield* refused("parameter_missing", "A stage belongs to a pipeline.", "Send pipeline_id too.", {
          parameter: "pipeline_id"
        })
      }
      const pipelines = yield* Effect.mapError(client.pipelines, (failure) => checkFailed(crmName, failure))
      const pipeline = pipelines.find(({ id }) => id === pipelineId)
      if (pipelineId !== undefined && pipeline === undefined) {
        return yield* refused(
          "pipeline_not_found",
          `${crmName} has no such pipeline.`,
          "Send the id of one of those in accepted_values.",
          { parameter: "pipeline_id", accepted_values: pipelines.map(({ id }) => id) }
        )
      }
      if (stageId !== undefined && pipeline?.stages.some(({ id }) => id === stageId) === false) {
        return yield* refused(
          "deal_stage_not_found",
          "The pipeline has no such stage.",
          "Send the id of one of those in accepted_values.",
          { parameter: "deal_stage_id", accepted_values: pipeline.stages.map(({ id }) => id) }
        )
      }
      return yield* unit.write(
        Effect.gen(function* () {
          // If the same contacts are chosen again, reading continues at its position. Otherwise it starts from the
          // beginning.
          yield* sql`
            insert into crm_source as s (account_id, crm, pipeline_id, stage_id)
            values (${accountId}, ${crmName}, ${pipelineId ?? null}, ${stageId ?? null})
            on conflict (account_id, crm) do update set pipeline_id = excluded.pipeline_id,
              stage_id = excluded.stage_id, cursor = null, warning = null, read_at = '-infinity'
              where (s.pipeline_id, s.stage_id) is distinct from (excluded.pipeline_id, excluded.stage_id)`.pipe(
            fromSql()
          )
          yield* sql`
            update crm_integration set polled_at = '-infinity'
            where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
          return yield* sourceOf(crmName)
        })
      )
    }),

    disableSource: Effect.fn("Crm.disableSource")(function* (crmName) {
      const { accountId } = yield* Caller
      const before = yield* sourceOf(crmName)
      yield* sql`delete from crm_source where account_id = ${accountId} and crm = ${crmName}`.pipe(fromSql())
      return { ...before, status: "disabled" as const }
    })
  }
  return source
})
