import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type SendFacts, sendBlockOf } from "../../Services/Outreach/SendBlocks.ts"
import { type SendBlock, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { lockFree } from "../Leads/Sql/Schedule.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

export const SendGuardPostgres = Layer.effect(
  SendGuard,
  Effect.map(SqlClient, (sql) =>
    SendGuard.of({
      check: Effect.fn("SendGuard.check")(function* ({ accountId, channel, isAutonomous, leadId, touchId }) {
        const rows = yield* sql<SendFacts>`
          select * from send_guard(${accountId}, ${leadId}, ${channel === "email"}, ${touchId})`.pipe(fromSql())
        const row = rows[0]
        return row === undefined
          ? Option.some<SendBlock>("lead_not_found")
          : Option.fromNullable(sendBlockOf(row, isAutonomous))
      }),

      checkFree: Effect.fn("SendGuard.checkFree")(function* (asked) {
        const accounts = asked.map(({ accountId }) => accountId)
        const leads = asked.map(({ leadId }) => leadId)
        const free = yield* lockFree(sql, asked)
        const rows = yield* sql<SendFacts & { readonly place: number }>`
          select asked.place, g.*
          from unnest(${free}::integer[], ${free.map((place) => accounts[place])}::bigint[],
              ${free.map((place) => leads[place])}::bigint[],
              ${free.map((place) => asked[place]?.channel === "email")}::boolean[],
              ${free.map((place) => asked[place]?.touchId ?? null)}::bigint[])
              as asked (place, account_id, lead_id, is_email, touch_id)
            cross join lateral send_guard(asked.account_id, asked.lead_id, asked.is_email, asked.touch_id) g`.pipe(
          fromSql()
        )
        const known = new Map(rows.map((row) => [row.place, row]))
        return asked.map(({ isAutonomous }, place) => {
          const row = known.get(place)
          return row === undefined ? undefined : Option.fromNullable(sendBlockOf(row, isAutonomous))
        })
      })
    })
  )
)
