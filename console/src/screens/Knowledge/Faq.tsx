import { useState } from "react"
import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type Entry = AnswerOf<"list_business_faq">["faq"][number]

const EntryLine = ({ edit, entry }: { readonly entry: Entry; readonly edit: () => void }) => {
  const { t } = useTexts()
  const remove = useAction("remove_business_faq", {
    confirm: () => ({
      title: t("knowledge.faq.remove.title"),
      body: t("knowledge.faq.remove.text", { question: entry.question_text }),
      action: t("knowledge.remove")
    }),
    done: () => t("knowledge.faq.removed")
  })
  return (
    <li className="line">
      <div className="grow">
        <div className="line-question">{entry.question_text}</div>
        <div className="soft small line-detail text">{entry.answer_text}</div>
        <div className="row wrap faint small line-detail">
          <Time at={entry.answered_at} />
          {entry.corrections.length === 0 ? null : (
            <span>{t("knowledge.faq.corrections", { count: entry.corrections.length })}</span>
          )}
          {entry.valid_until === null ? null : (
            <span>
              {t("knowledge.faq.until")} <Time at={entry.valid_until} look="day" />
            </span>
          )}
          {entry.is_valid ? null : <Badge text={t("knowledge.faq.expired")} tone="warn" />}
        </div>
      </div>
      <div className="row">
        <IconButton
          writes
          icon="edit"
          label={t("knowledge.faq.change", { question: entry.question_text })}
          onClick={edit}
        />
        <IconButton
          writes
          icon="trash"
          label={t("knowledge.faq.remove", { question: entry.question_text })}
          isBusy={remove.isRunning}
          onClick={() => remove.run({ open_question_id: entry.open_question_id })}
        />
      </div>
    </li>
  )
}

/** Answers that any lead may get. */
export const Faq = () => {
  const { t } = useTexts()
  const faq = useTool("list_business_faq", {})
  const [isAdding, setIsAdding] = useState(false)
  const [edited, setEdited] = useState<Entry>()
  const close = () => {
    setIsAdding(false)
    setEdited(undefined)
  }
  return (
    <Card
      title={t("knowledge.faq")}
      isFlush
      actions={
        <Button writes icon="plus" onClick={() => setIsAdding(true)}>
          {t("knowledge.faq.add")}
        </Button>
      }
    >
      <Answer of={faq} lines={5}>
        {(answer) =>
          answer.faq.length === 0 ? (
            <Empty icon="question" title={t("knowledge.faq.empty")} text={t("knowledge.faq.empty.text")} />
          ) : (
            <ul className="lines">
              {answer.faq.map((entry) => (
                <EntryLine key={entry.open_question_id} entry={entry} edit={() => setEdited(entry)} />
              ))}
            </ul>
          )
        }
      </Answer>
      {isAdding ? (
        <Dialog isDrawer title={t("knowledge.faq.add")} onClose={close}>
          <SchemaForm
            tool="answer_lead_question"
            fixed={{ reusable: true }}
            fields={["question_text", "answer_text", "valid_until"]}
            submitLabel={t("knowledge.add")}
            doneText={t("common.saved")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
      {edited === undefined ? null : (
        <Dialog isDrawer title={t("knowledge.faq.edit")} onClose={close}>
          <p className="line-question">{edited.question_text}</p>
          <SchemaForm
            tool="update_business_faq"
            fixed={{ open_question_id: edited.open_question_id }}
            fields={["answer_text", "valid_until"]}
            initial={{ answer_text: edited.answer_text, valid_until: edited.valid_until ?? "" }}
            submitLabel={t("common.save")}
            doneText={t("common.saved")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      )}
    </Card>
  )
}
