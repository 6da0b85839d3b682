import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import type { Lead } from "./NextStep.tsx"

const answerSubject = (lead: Lead): string => {
  const subject = lead.emails.at(-1)?.subject ?? ""
  return subject === "" || /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

/** A message of the person's to the lead, by mail. The gateway then leaves the lead to the person. */
export const Reply = ({ close, lead }: { readonly lead: Lead; readonly close: () => void }) => {
  const { t } = useTexts()
  return (
    <Card title={t("leads.write.title", { address: lead.email })}>
      <SchemaForm
        tool="send_message_to_lead"
        fixed={{ lead_id: lead.lead_id }}
        fields={["subject", "body"]}
        initial={{ subject: answerSubject(lead) }}
        submitLabel={t("leads.write.send")}
        doneText={t("leads.write.done")}
        onDone={close}
        onCancel={close}
      >
        <p className="field-help">{t("leads.write.note")}</p>
      </SchemaForm>
    </Card>
  )
}
