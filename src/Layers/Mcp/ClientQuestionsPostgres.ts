import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { ClientQuestions, type OpenQuestion } from "../../Services/Mcp/ClientQuestions.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const idShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const make = Effect.map(SqlClient, (sql) => {
  /** Reads the question, if this token asked it and it has not expired. */
  const ofCaller = (question: string) =>
    Effect.map(
      Caller,
      ({ accountId, tokenId }) => sql`account_id = ${accountId} and client_question_id = ${question}::uuid
        and access_token_id is not distinct from ${tokenId ?? null}::bigint and used_at is null and expires_at > instant()`
    )

  return ClientQuestions.of({
    open: Effect.fn("ClientQuestions.open")(function* ({ digest, tool }) {
      const { accountId, tokenId } = yield* Caller
      // Each new question also deletes the account's expired ones.
      yield* sql`delete from client_question where account_id = ${accountId} and expires_at < instant()`
      const rows = yield* sql<OpenQuestion>`
        insert into client_question (account_id, access_token_id, tool_name, arguments_digest, expires_at)
        values (${accountId}, ${tokenId ?? null}, ${tool}, ${digest}, instant() + interval '10 minutes')
        returning client_question_id as id, expires_at as "expiresAt"`
      return single(rows)
    }, fromSql()),

    use: Effect.fn("ClientQuestions.use")(function* (question, { digest, tool }) {
      if (!idShape.test(question)) return false
      const rows = yield* sql`
        update client_question set used_at = instant()
        where ${yield* ofCaller(question)} and tool_name = ${tool} and arguments_digest = ${digest}
        returning client_question_id`
      return rows.length > 0
    }, fromSql()),

    answer: Effect.fn("ClientQuestions.answer")(function* (question, answer) {
      if (!idShape.test(question)) return false
      const rows = yield* sql`
        update client_question set answer = ${JSON.stringify(answer ?? null)}::jsonb
        where ${yield* ofCaller(question)} and answer is null returning client_question_id`
      return rows.length > 0
    }, fromSql()),

    answered: Effect.fn("ClientQuestions.answered")(function* (question) {
      if (!idShape.test(question)) return Option.none()
      const rows = yield* sql<{ readonly answer: unknown }>`
        select answer from client_question where ${yield* ofCaller(question)} and answer is not null`
      return Option.map(Option.fromNullable(rows[0]), (row) => row.answer)
    }, fromSql())
  })
})

/** Stores questions to clients in the database, so that any process can receive the answer. */
export const ClientQuestionsPostgres = Layer.effect(ClientQuestions, make)
