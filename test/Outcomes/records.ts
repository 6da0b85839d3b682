import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const question = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into open_question (account_id, question_text) values (${account}, 'Do you deliver?')
          returning open_question_id as id`
      )
      const answer = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
          values (${account}, ${question}, 'Do you deliver?', 'Yes.', false) returning answer_id as id`
      )
      return { open_question_id: question, expected_answer_id: answer }
    })
}
