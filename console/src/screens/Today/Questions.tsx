import type { UseQueryResult } from "@tanstack/react-query"
import { useState } from "react"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type QuestionList = AnswerOf<"list_open_lead_questions">

const Question = ({ question }: { readonly question: QuestionList["open_questions"][number] }) => {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <li className="line">
      <span className="line-mark">
        <Icon name="question" />
      </span>
      <div className="grow stack">
        <div>
          <div className="line-question">{question.question_text}</div>
          <div className="faint small">
            {t("today.questions.leads", { count: question.lead_count })} · <Time at={question.asked_at} />
          </div>
        </div>
        {isOpen ? (
          <SchemaForm
            tool="answer_lead_question"
            fixed={{ open_question_id: question.open_question_id }}
            fields={["answer_text", "reusable"]}
            submitLabel={t("today.questions.answer")}
            doneText={t("today.questions.done")}
            onDone={close}
            onCancel={close}
          />
        ) : (
          <div>
            <Button writes icon="edit" onClick={() => setIsOpen(true)}>
              {t("today.questions.answer")}
            </Button>
          </div>
        )}
      </div>
    </li>
  )
}

/** Questions that only the account can answer, and leads that wait for them. */
export const Questions = ({ query }: { readonly query: UseQueryResult<QuestionList> }) => {
  const { t } = useTexts()
  return (
    <Card title={t("today.questions")} isFlush>
      <Answer of={query} lines={4}>
        {({ open_questions: questions }) =>
          questions.length === 0 ? (
            <Empty icon="check" title={t("today.questions.none")} text={t("today.questions.none.text")} />
          ) : (
            <ul className="lines">
              {questions.map((question) => (
                <Question key={question.open_question_id} question={question} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
