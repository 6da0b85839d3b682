import { useState } from "react"
import { requestConfirmation } from "../../calls/Call.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../Button.tsx"
import { ErrorNote } from "../States.tsx"
import { answerConfirm, type ConfirmQuestion } from "./Confirm.ts"
import { Dialog } from "./Dialog.tsx"

/** The dialog before a destructive call. The button fetches the signed value that the call needs. */
export const ConfirmDialog = ({ question }: { readonly question: ConfirmQuestion }) => {
  const { t } = useTexts()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const accept = () => {
    setIsBusy(true)
    requestConfirmation(question.tool, question.args).then(
      ({ confirmation }) => answerConfirm(confirmation),
      (cause: unknown) => {
        setIsBusy(false)
        setError(cause)
      }
    )
  }
  return (
    <Dialog isAlert title={question.title} onClose={() => answerConfirm(undefined)}>
      <p className="soft">{question.body}</p>
      {error === undefined ? null : <ErrorNote error={error} />}
      <div className="dialog-actions">
        <Button onClick={() => answerConfirm(undefined)}>{t("common.cancel")}</Button>
        <Button kind="danger" writes isBusy={isBusy} onClick={accept}>
          {question.action}
        </Button>
      </div>
    </Dialog>
  )
}
