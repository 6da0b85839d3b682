import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { CopyButton } from "../../parts/CopyButton.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"

export interface Secret {
  readonly title: string
  readonly value: string
}

/** A text of an answer whose type the form does not know. */
export const textMember = (answer: unknown, name: string): string | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1]
  return typeof value === "string" ? value : undefined
}

/** A secret that no other answer has. It is gone when the dialog closes. */
export const SecretDialog = ({ close, secret }: { readonly secret: Secret; readonly close: () => void }) => {
  const { t } = useTexts()
  return (
    <Dialog isAlert title={secret.title} onClose={close}>
      <p className="soft">{t("developers.secret.text")}</p>
      <div className="secret">
        <code className="grow">{secret.value}</code>
        <CopyButton text={secret.value} name={secret.title} />
      </div>
      <p className="row small faint">
        <Icon name="alert" />
        {t("developers.secret.once")}
      </p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={close}>
          {t("developers.secret.done")}
        </Button>
      </div>
    </Dialog>
  )
}
