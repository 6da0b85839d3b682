import { CallError } from "../../calls/CallError.ts"
import { errorText } from "../../calls/ErrorText.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button, IconButton } from "../Button.tsx"
import { Icon } from "../Icon.tsx"
import { closeToast, showToast, type Toast, useToasts } from "./Toasts.ts"

const ToastLine = ({ toast }: { readonly toast: Toast }) => {
  const texts = useTexts()
  const { t } = texts
  const isError = toast.isError === true
  const requestId = toast.error instanceof CallError ? toast.error.details.requestId : undefined
  const undo = () => {
    closeToast(toast.id)
    toast.undo?.().then(
      () => showToast({ text: t("common.undone") }),
      (error: unknown) => showToast({ text: errorText(texts, error), isError: true, error })
    )
  }
  return (
    <div className={`toast${isError ? " toast-error" : ""}`}>
      <Icon name={isError ? "alert" : "check"} />
      <div className="grow">
        {toast.text}
        {requestId === undefined ? null : <div className="faint small code">{requestId}</div>}
      </div>
      {toast.undo === undefined ? null : (
        <Button kind="plain" icon="undo" onClick={undo}>
          {t("common.undo")}
        </Button>
      )}
      <IconButton icon="close" label={t("common.close")} onClick={() => closeToast(toast.id)} />
    </div>
  )
}

/** The messages in the corner. Screen readers read each one when it appears. */
export const ToastList = () => (
  <div className="toasts" role="status" aria-live="polite" aria-label={useTexts().t("common.notices")}>
    {useToasts().map((toast) => (
      <ToastLine key={toast.id} toast={toast} />
    ))}
  </div>
)
