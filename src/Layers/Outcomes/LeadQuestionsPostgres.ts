import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, type Refused, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { matchQuestion } from "../../Services/Knowledge/Answers/QuestionMatch.ts"
import { bareQuestion } from "../../Services/Outcomes/BareQuestion.ts"
import {
  type AnsweredQuestion,
  type AnswerId,
  type FaqEntry,
  LeadQuestions,
  type NewAnswer,
  type OpenLeadQuestion,
  type OpenQuestionId
} from "../../Services/Outcomes/LeadQuestions.ts"
import type { OwedKind } from "../../Services/Replies/ReplySituation.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import type { KnownAnswer } from "../../Services/Writing/WritingBrief.ts"
import { scheduleQueued } from "../Leads/Sql/Schedule.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const requestIdInvalid = refused(
  "request_id_invalid",
  "request_id is not a UUID.",
  "Send a UUID such as 7f3f3c52-6a43-4d0b-9a55-0d5a3a1f6f10, and the same one when repeating the call.",
  { parameter: "request_id" }
)
const requestIdReused = refused(
  "request_id_reused",
  "This request_id was already used for another answer.",
  "Send a new request_id for a new answer.",
  { parameter: "request_id" }
)
const questionRequired = refused(
  "question_required",
  "The call does not say which question it answers.",
  "Send open_question_id from list_open_lead_questions, or question_text."
)
const questionNotFound = (candidates: ReadonlyArray<Question>): Refused =>
  refused(
    "question_not_found",
    "No lead asked this question.",
    candidates.length === 0
      ? "No question is open. Send reusable true to store the answer for later leads."
      : "Send the open_question_id of one of the candidates, or reusable true to store the answer for later leads.",
    {
      parameter: "question_text",
      candidates: candidates.map(({ id, text }) => ({ open_question_id: id, question_text: text }))
    }
  )
const expired = refused(
  "valid_until_past",
  "valid_until has passed, so no lead would get the answer.",
  "Send a future time, or leave valid_until out.",
  { parameter: "valid_until" }
)
const withdrawn = (id: OpenQuestionId): Refused =>
  refused("question_withdrawn", "This question was withdrawn.", "List the others with list_open_lead_questions.", {
    open_question_id: id
  })
const answerChanged = (current: AnswerId | null, expectedId: AnswerId | undefined): Refused =>
  refused(
    expectedId === undefined ? "already_answered" : "answer_changed",
    expectedId === undefined
      ? "This question has an answer already."
      : "The question's present answer is not expected_answer_id.",
    current === null
      ? "The question has no present answer. Leave expected_answer_id out."
      : "Read the current answer, and send its id as expected_answer_id to replace it.",
    { current_answer_id: current }
  )

interface Question {
  readonly id: OpenQuestionId
  readonly text: string
  readonly status: "open" | "answered" | "withdrawn"
}

type AnswerRow = Omit<AnsweredQuestion, "is_repeat">

/** The most questions of an account that an answer is compared with. Each comparison takes about 0.1 ms. */
const mostComparedQuestions = 1000

/** The most answers that a writer receives. */
const maximumAnswers = 30

/** The kind of notification for what is needed from the owner. */
const newsOfOwed = {
  answer: "lead_question",
  objection: "lead_objected",
  document: "lead_wants_document"
} as const satisfies { readonly [K in OwedKind]: string }

const makeQuestionServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const notifications = yield* Notifications
  return { notifications, sql }
})
type QuestionServices = Effect.Effect.Success<typeof makeQuestionServices>

/** Finds the question that an answer is for. A question that no lead asked is stored with its reusable answer. */
const makeQuestionLookup = ({ sql }: QuestionServices) =>
  Effect.fnUntraced(function* ({ isReusable, openQuestionId, questionText }: NewAnswer) {
    const { accountId } = yield* Caller
    const columns = sql.literal("open_question_id as id, question_text as text, status")
    if (openQuestionId !== undefined) {
      const rows = yield* sql<Question>`
        select ${columns} from open_question
        where account_id = ${accountId} and open_question_id = ${openQuestionId} for update`.pipe(fromSql())
      return rows[0] ?? (yield* notFound("open question", "open_question_id", openQuestionId))
    }
    const text = questionText === undefined ? "" : tidyText(questionText).trim()
    if (text === "") return yield* questionRequired
    // Open questions come first, because a lead waits for their answers.
    const questions = yield* sql<Question>`
      select ${columns} from open_question where account_id = ${accountId} and status <> 'withdrawn'
      order by status = 'open' desc, open_question_id desc limit ${mostComparedQuestions}`.pipe(fromSql())
    const openQuestions = questions.filter(({ status }) => status === "open")
    const amongOpen = matchQuestion(text, openQuestions)
    const match = amongOpen.match ?? matchQuestion(text, questions).match
    if (match !== undefined) {
      const rows = yield* sql<Question>`
        select ${columns} from open_question
        where account_id = ${accountId} and open_question_id = ${match.id} for update`.pipe(fromSql())
      return single(rows)
    }
    if (!isReusable) return yield* questionNotFound(amongOpen.candidates)
    return single(
      yield* sql<Question>`
        insert into open_question (account_id, question_text, status, answered_at)
        values (${accountId}, ${bareQuestion(text)}, 'answered', instant()) returning ${columns}`.pipe(fromSql())
    )
  })

const makeAnswerRows = ({ sql }: QuestionServices) => {
  /** The question's present answer, unless it has expired. */
  const currentAnswer = Effect.fnUntraced(function* ({ id }: Question) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: AnswerId; readonly holds: boolean }>`
      select answer_id as id, valid_until is null or valid_until > instant() as holds from lead_answer
      where account_id = ${accountId} and superseded_by is null and open_question_id = ${id}
      order by answer_id desc limit 1`.pipe(fromSql())
    return rows[0]
  })

  const answerRow = Effect.fnUntraced(function* (id: AnswerId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<AnswerRow>`
      select a.answer_id, a.open_question_id, a.question_text, a.answer_text, a.is_reusable as reusable, a.valid_until,
        (select max(o.answer_id) from lead_answer o where o.account_id = a.account_id and o.superseded_by = a.answer_id)
          as replaced_answer_id,
        (select count(*) from lead_answer_delivery d where d.account_id = a.account_id
          and d.open_question_id = a.open_question_id and d.answer_id = a.answer_id) as queued_lead_count,
        array(select d.lead_id::float8 from lead_answer_delivery d where d.account_id = a.account_id
          and d.open_question_id = a.open_question_id and d.answer_id = a.answer_id order by d.lead_id limit 100)
          as queued_lead_ids,
        a.created_at
      from lead_answer a where a.account_id = ${accountId} and a.answer_id = ${id}`.pipe(fromSql())
    return single(rows)
  })

  /** The result of an earlier call with this request id. */
  const earlierResult = Effect.fnUntraced(function* (requestId: string, answer: NewAnswer) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: AnswerId }>`
      select answer_id as id from lead_answer
      where account_id = ${accountId} and request_id = ${requestId}::uuid`.pipe(fromSql())
    const id = rows[0]?.id
    if (id === undefined) return undefined
    const storedAnswer = yield* answerRow(id)
    const isSame =
      storedAnswer.answer_text === tidyText(answer.answerText).trim() &&
      storedAnswer.reusable === answer.isReusable &&
      (answer.openQuestionId === undefined || answer.openQuestionId === storedAnswer.open_question_id)
    return isSame ? { ...storedAnswer, is_repeat: true } : yield* requestIdReused
  })

  /** Queues the answer once for each waiting lead that may be contacted. Delivered answers stay as they are. */
  const queue = Effect.fnUntraced(function* (questionId: OpenQuestionId, answerId: AnswerId) {
    const { accountId } = yield* Caller
    yield* sql`
      with waiting as (
        select l.lead_id from open_question_lead q
          join lead l on l.account_id = q.account_id and l.lead_id = q.lead_id
        where q.account_id = ${accountId} and q.open_question_id = ${questionId}
          and l.pipeline_state in ('in_pipeline', 'pending_review') and l.unsubscribed_at is null
        order by l.lead_id for update of l
      ), queued as (
        insert into lead_answer_delivery as d (account_id, open_question_id, lead_id, answer_id)
        select ${accountId}, ${questionId}, lead_id, ${answerId} from waiting
        on conflict (account_id, open_question_id, lead_id) do update
          set answer_id = excluded.answer_id, status = 'queued', created_at = instant()
          where d.status <> 'delivered'
        returning lead_id
      )
      ${scheduleQueued(sql, accountId)}`.pipe(fromSql())
    yield* wakeDispatcher(sql, accountId)
  })

  const insert = Effect.fnUntraced(function* (request: Question, answer: NewAnswer, validUntil: Timestamp | null) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: AnswerId }>`
      insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable, valid_until,
        request_id)
      values (${accountId}, ${request.id}, ${request.text}, ${tidyText(answer.answerText).trim()}, ${answer.isReusable},
        ${validUntil}, ${answer.requestId ?? null}::uuid)
      returning answer_id as id`.pipe(fromSql())
    return single(rows).id
  })

  /** The present reusable answer of a question, locked. */
  const reusable = Effect.fnUntraced(function* (id: OpenQuestionId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{
      readonly answerId: AnswerId
      readonly text: string
      readonly validUntil: Timestamp | null
    }>`
      select answer_id as "answerId", question_text as text, valid_until as "validUntil" from lead_answer
      where account_id = ${accountId} and open_question_id = ${id} and superseded_by is null and is_reusable
      order by answer_id desc limit 1 for update`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("faq entry", "open_question_id", id))
  })

  return { answerRow, currentAnswer, insert, queue, repeated: earlierResult, reusable }
}
type AnswerRows = ReturnType<typeof makeAnswerRows>

const makeAnswering = (
  services: QuestionServices,
  { answerRow, currentAnswer, insert, queue, repeated }: AnswerRows
) => {
  const { sql } = services
  const question = makeQuestionLookup(services)
  const answer: (typeof LeadQuestions.Service)["answer"] = Effect.fn("LeadQuestions.answer")(function* (answer) {
    const { accountId } = yield* Caller
    const { expectedAnswerId, requestId, validUntil } = answer
    if (requestId !== undefined && !uuid.test(requestId)) return yield* requestIdInvalid
    // Answers of one account are stored one after another, so that a retry sees what the first call did.
    yield* lockAccount(sql, accountId, "answers")
    if (requestId !== undefined) {
      const earlier = yield* repeated(requestId, answer)
      if (earlier !== undefined) return earlier
    }
    if (validUntil !== undefined && validUntil <= (yield* now)) return yield* expired
    const askedQuestion = yield* question(answer)
    if (askedQuestion.status === "withdrawn") return yield* withdrawn(askedQuestion.id)
    const current = yield* currentAnswer(askedQuestion)
    const isExpected =
      expectedAnswerId === undefined ? current === undefined || !current.holds : expectedAnswerId === current?.id
    if (!isExpected) return yield* answerChanged(current?.id ?? null, expectedAnswerId)

    const id = yield* insert(askedQuestion, answer, validUntil ?? null)
    if (current !== undefined) {
      yield* sql`
        update lead_answer set superseded_by = ${id}
        where account_id = ${accountId} and answer_id = ${current.id}`.pipe(fromSql())
    }
    yield* sql`
      update open_question set status = 'answered', answered_at = coalesce(answered_at, instant())
      where account_id = ${accountId} and open_question_id = ${askedQuestion.id}`.pipe(fromSql())
    yield* queue(askedQuestion.id, id)
    return { ...(yield* answerRow(id)), is_repeat: false }
  })

  return { answer }
}

const askedQuestions = ({
  notifications,
  sql
}: QuestionServices): Pick<typeof LeadQuestions.Service, "answersLike" | "ask" | "faq" | "open"> => ({
  answersLike: Effect.fn("LeadQuestions.answersLike")(function* (questionTexts) {
    if (questionTexts.length === 0) return []
    const { accountId } = yield* Caller
    return yield* sql<KnownAnswer>`
        select question_text as question, answer_text as answer, answer_id as "answerId" from lead_answer
        where account_id = ${accountId} and is_reusable and superseded_by is null
          and (valid_until is null or valid_until > instant())
        order by (select max(similarity(fold(question_text), fold(asked)))
          from unnest(${questionTexts}::text[]) asked) desc, answer_id desc
        limit ${maximumAnswers}`.pipe(fromSql())
  }),

  ask: Effect.fn("LeadQuestions.ask")(function* (leadId, text, channel, { owed = "answer", proposal } = {}) {
    const { accountId } = yield* Caller
    const questionText = bareQuestion(text)
    const { id } = single(
      yield* sql<{ readonly id: OpenQuestionId }>`
          insert into open_question as q (account_id, question_text, created_at)
          values (${accountId}, ${questionText}, instant())
          on conflict (account_id, fold(question_text)) where status = 'open'
            do update set question_text = q.question_text
          returning open_question_id as id`.pipe(fromSql())
    )
    const waiting = yield* sql`
        insert into open_question_lead (account_id, open_question_id, lead_id, asked_at)
        values (${accountId}, ${id}, ${leadId}, instant()) on conflict do nothing returning lead_id`.pipe(fromSql())
    if (waiting.length > 0) {
      yield* notifications.tellOfLead(
        { kind: newsOfOwed[owed], leadId, quote: questionText },
        { channel, open_question_id: id, ...(proposal === undefined ? {} : { suggested_answer: proposal }) }
      )
    }
    return id
  }),

  faq: Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<FaqEntry>`
        select a.open_question_id, a.answer_id, a.question_text, a.answer_text, 'owner' as answered_by, a.valid_until,
          a.valid_until is null or a.valid_until > instant() as is_valid, a.created_at as answered_at,
          coalesce((select json_agg(json_build_object('answer_text', o.answer_text, 'answered_at',
              to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by o.answer_id desc)
            from lead_answer o where o.account_id = ${accountId} and o.open_question_id = a.open_question_id
              and o.answer_id < a.answer_id), '[]') as corrections
        from lead_answer a
        where a.account_id = ${accountId} and a.is_reusable and a.superseded_by is null
        order by a.answer_id desc limit 1000`.pipe(fromSql())
  }).pipe(Effect.withSpan("LeadQuestions.faq")),

  open: Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<OpenLeadQuestion>`
        select q.open_question_id, q.question_text, q.created_at as asked_at,
          array(select w.lead_id::float8 from open_question_lead w where w.account_id = ${accountId}
            and w.open_question_id = q.open_question_id order by w.lead_id limit 100) as lead_ids,
          (select count(*) from open_question_lead w where w.account_id = ${accountId}
            and w.open_question_id = q.open_question_id) as lead_count
        from open_question q where q.account_id = ${accountId} and q.status = 'open'
        order by q.open_question_id limit 1000`.pipe(fromSql())
  }).pipe(Effect.withSpan("LeadQuestions.open"))
})

const make = Effect.gen(function* () {
  const services = yield* makeQuestionServices
  const { sql } = services
  const rows = makeAnswerRows(services)
  const { reusable } = rows
  const { answer } = makeAnswering(services, rows)

  return LeadQuestions.of({
    ...askedQuestions(services),
    answer,
    correct: Effect.fn("LeadQuestions.correct")(function* (id, { answerText, validUntil }) {
      const storedAnswer = yield* reusable(id)
      return yield* answer({
        answerText,
        openQuestionId: id,
        questionText: undefined,
        isReusable: true,
        expectedAnswerId: storedAnswer.answerId,
        validUntil,
        requestId: undefined
      })
    }),
    withdraw: Effect.fn("LeadQuestions.withdraw")(function* (id) {
      const { accountId } = yield* Caller
      const storedAnswer = yield* reusable(id)
      const keptBackDeliveries = yield* sql`
        update lead_answer_delivery set status = 'cancelled'
        where account_id = ${accountId} and open_question_id = ${id} and status = 'queued' returning lead_id`.pipe(
        fromSql()
      )
      yield* sql`
        update lead_answer set is_reusable = false, valid_until = instant()
        where account_id = ${accountId} and answer_id = ${storedAnswer.answerId}`.pipe(fromSql())
      return { open_question_id: id, question_text: storedAnswer.text, kept_back_deliveries: keptBackDeliveries.length }
    })
  })
})

export const LeadQuestionsPostgres = Layer.effect(LeadQuestions, make)
