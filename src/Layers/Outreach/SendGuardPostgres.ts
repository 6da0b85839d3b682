import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type SendFacts, sendBlockOf } from "../../Services/Outreach/SendBlocks.ts"
import { type SendBlock, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const SendGuardPostgres = Layer.effect(
  SendGuard,
  Effect.map(SqlClient, (sql) =>
    SendGuard.of({
      check: Effect.fn("SendGuard.check")(function* (messages) {
        if (messages.length === 0) return []
        const rows = yield* sql<SendFacts & { readonly place: number }>`
          select message.place, g.*
          from unnest(${messages.map((_, place) => place)}::integer[],
              ${messages.map(({ accountId }) => accountId)}::bigint[], ${messages.map(({ leadId }) => leadId)}::bigint[],
              ${messages.map(({ channel }) => channel === "email")}::boolean[],
              ${messages.map(({ touchId }) => touchId)}::bigint[])
              as message (place, account_id, lead_id, is_email, touch_id)
            cross join lateral
              send_guard(message.account_id, message.lead_id, message.is_email, message.touch_id) g`.pipe(fromSql())
        const factsAt = new Map(rows.map((row) => [row.place, row]))
        return messages.map(({ isAutonomous }, place) => {
          const facts = factsAt.get(place)
          return facts === undefined
            ? Option.some<SendBlock>("lead_not_found")
            : Option.fromNullable(sendBlockOf(facts, isAutonomous))
        })
      })
    })
  )
)
