import { useState } from "react"
import { useTexts } from "../i18n/Messages.tsx"
import { Button, IconButton } from "./Button.tsx"
import { showToast } from "./dialogs/Toasts.ts"

const shownMillis = 1_600

/** A button that copies a text. With a label it shows words, otherwise an icon. */
export const CopyButton = ({
  label,
  name,
  text
}: {
  readonly text: string
  readonly name: string
  readonly label?: string
}) => {
  const { t } = useTexts()
  const [isDone, setIsDone] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setIsDone(true)
        setTimeout(() => setIsDone(false), shownMillis)
      },
      () => showToast({ text: t("common.copyFailed"), isError: true })
    )
  }
  const icon = isDone ? "check" : "copy"
  return label === undefined ? (
    <IconButton icon={icon} label={t(isDone ? "common.copied" : "common.copyOf", { name })} onClick={copy} />
  ) : (
    <Button icon={icon} onClick={copy}>
      {isDone ? t("common.copied") : label}
    </Button>
  )
}
