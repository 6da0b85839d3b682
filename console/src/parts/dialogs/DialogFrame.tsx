import { AlertDialog } from "@base-ui/react/alert-dialog"
import { Dialog as BaseDialog } from "@base-ui/react/dialog"
import type { ReactNode } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { IconButton } from "../Button.tsx"

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Shows the dialog as a drawer at the right edge over the whole height, for forms. */
  readonly isDrawer?: boolean
  /** A question that must be answered: a click outside does not close it. */
  readonly isAlert?: boolean
  readonly children: ReactNode
}

/** A dialog that is open as long as it is rendered. The focus stays inside and returns afterwards. */
export const DialogFrame = ({ children, isAlert = false, isDrawer = false, onClose, title }: DialogProps) => {
  const { t } = useTexts()
  const Parts = isAlert ? AlertDialog : BaseDialog
  return (
    <Parts.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Backdrop className="veil" />
        <Parts.Popup className={`dialog${isDrawer ? " drawer" : ""}`}>
          <div className="row spread">
            <Parts.Title render={<h2 />}>{title}</Parts.Title>
            {isAlert ? null : <IconButton icon="close" label={t("common.close")} onClick={onClose} />}
          </div>
          {children}
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  )
}
