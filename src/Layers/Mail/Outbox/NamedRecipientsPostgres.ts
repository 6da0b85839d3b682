import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { refused } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { mostNamedInDay, NamedRecipients } from "../../../Services/Mail/NamedRecipients.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const limitReached = refused(
  "named_recipients_limit",
  `Calls of this account have named ${mostNamedInDay} addresses today.`,
  "Leave the addresses out, or call again tomorrow (UTC).",
  { maximum: mostNamedInDay }
)

export const NamedRecipientsPostgres = Layer.effect(
  NamedRecipients,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return NamedRecipients.of({
      reserve: Effect.fn("NamedRecipients.reserve")(function* (addresses) {
        if (addresses.length === 0) return
        const { accountId } = yield* Caller
        const rows = yield* sql`
          insert into named_recipient_count as c (account_id, day, addresses)
          values (${accountId}, (instant() at time zone 'utc')::date, ${addresses.length})
          on conflict (account_id) do update set day = excluded.day,
            addresses = excluded.addresses + case when c.day = excluded.day then c.addresses else 0 end
            where c.day <> excluded.day or c.addresses + excluded.addresses <= ${mostNamedInDay}
          returning c.addresses`.pipe(fromSql())
        if (rows.length === 0) return yield* limitReached
      })
    })
  })
)
