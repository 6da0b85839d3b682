import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { AgentConversation, type AgentRole } from "../../Services/Events/AgentConversation.ts"
import { writtenLanguage } from "../../Services/Text/Language.ts"
import { isOfMember } from "../Accounts/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** The search shows an excerpt, and a long mail of the owner is stored in full elsewhere. */
const longestWords = 20_000

export const AgentConversationPostgres = Layer.effect(
  AgentConversation,
  Effect.map(SqlClient, (sql) => ({
    note: Effect.fn("AgentConversation.note")(function* ({ channel, role, words }) {
      const body = words.trim().slice(0, longestWords).toWellFormed()
      if (body === "") return
      const { accountId, tokenId } = yield* Caller
      const isByMember = role === undefined && tokenId !== undefined && (yield* isOfMember(sql, accountId, tokenId))
      const speaker: AgentRole = role ?? (isByMember ? "member" : "owner")
      yield* sql`
        insert into agent_message (account_id, role, channel, body, language)
        select ${accountId}, ${speaker}, ${channel}, ${body}, ${writtenLanguage(body) ?? null}::text
        where not exists (select from agent_message m where m.account_id = ${accountId}
          and m.created_at > instant() - interval '1 day' and m.role = ${speaker} and m.body = ${body})`.pipe(fromSql())
    })
  }))
)
