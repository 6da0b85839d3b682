import { useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { CopyButton } from "../../parts/CopyButton.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"

/** Returns a text in an answer whose type the form does not know. */
export const textMember = (answer: unknown, name: string): string | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1]
  return typeof value === "string" ? value : undefined
}

/** A secret that no other answer has. It is gone when the dialog closes. */
const SecretDialog = ({
  close,
  title,
  value
}: {
  readonly title: string
  readonly value: string
  readonly close: () => void
}) => {
  const { t } = useTexts()
  return (
    <Dialog isAlert title={title} onClose={close}>
      <p className="soft">{t("developers.secret.text")}</p>
      <div className="secret">
        <code className="grow">{value}</code>
        <CopyButton text={value} name={title} />
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

/** Shows a secret once: the one that `show` gets, or the member of an answer that `take` gets. */
export const useSecret = (title: string, member: string) => {
  const [value, setValue] = useState<string>()
  const dialog =
    value === undefined ? null : <SecretDialog title={title} value={value} close={() => setValue(undefined)} />
  const take = (answer: unknown) => {
    const secret = textMember(answer, member)
    if (secret !== undefined) setValue(secret)
  }
  return { dialog, show: setValue, take }
}
