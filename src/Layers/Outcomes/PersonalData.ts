import { Effect } from "effect"
import { erasedMark } from "../../Services/Leads/Erasure/LeadErasure.ts"
import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** The person's questions with their answers, and the conversation between the owner and the platform. */
export const outcomesPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId, patterns }) =>
    Effect.gen(function* () {
      yield* redact(
        sql,
        { table: "agent_message", texts: ["body"] },
        sql`account_id = ${accountId}`,
        patterns.person,
        patterns.json
      )
      const ofAskedQuestions = sql`account_id = ${accountId} and open_question_id in (select q.open_question_id
        from open_question_lead q where q.account_id = ${accountId} and q.lead_id = ${leadId})`
      const answer = { table: "lead_answer", texts: ["question_text", "answer_text"] }
      yield* redact(sql, answer, ofAskedQuestions, patterns.words, patterns.json)
      // Numbered, because two open questions with the same text would be one.
      yield* sql`
        update open_question set question_text =
          regexp_replace(question_text, ${patterns.words}, ${erasedMark}, 'gi') || ' #' || open_question_id
        where ${ofAskedQuestions} and question_text ~* ${patterns.words}`
    })
}
