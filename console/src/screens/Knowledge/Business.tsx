import { useState } from "react"
import { useTool } from "../../calls/Queries.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { humanized, useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Answer, Empty } from "../../parts/States.tsx"

const fields = [
  "business_name",
  "business_description",
  "business_website",
  "ideal_customer_profile",
  "paying_customer_examples"
] as const

/** What the account sells, and to whom. All messages are based on it. */
export const Business = () => {
  const { optional, t } = useTexts()
  const business = useTool("get_business", {})
  const [isEditing, setIsEditing] = useState(false)
  const close = () => setIsEditing(false)
  return (
    <Card
      title={t("knowledge.business")}
      actions={
        <Button writes icon="edit" disabled={business.data === undefined} onClick={() => setIsEditing(true)}>
          {t("knowledge.edit")}
        </Button>
      }
    >
      <Answer of={business} lines={6}>
        {(answer) => {
          const filled = fields.filter((name) => (answer[name] ?? "") !== "")
          return filled.length === 0 ? (
            <Empty icon="building" title={t("knowledge.business.empty")} text={t("knowledge.business.empty.text")} />
          ) : (
            <dl className="settings-list">
              {filled.map((name) => (
                <div key={name}>
                  <dt>{optional(`fields.${name}`) ?? humanized(name)}</dt>
                  <dd className="text">{answer[name]}</dd>
                </div>
              ))}
            </dl>
          )
        }}
      </Answer>
      {isEditing && business.data !== undefined ? (
        <Dialog isDrawer title={t("knowledge.business")} onClose={close}>
          <SchemaForm
            tool="set_business"
            fields={fields}
            present={{ ...business.data }}
            submitLabel={t("common.save")}
            doneText={t("common.saved")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </Card>
  )
}
