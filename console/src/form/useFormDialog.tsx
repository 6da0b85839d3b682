import { type ReactNode, useState } from "react"
import { Dialog } from "../parts/dialogs/Dialog.tsx"
import { SchemaForm, type SchemaFormProps } from "./SchemaForm.tsx"

export type DialogForm = Omit<SchemaFormProps, "onCancel">

/** A tool's form in a drawer, for screens with several. `onDone` is called after each form's own. */
export const useFormDialog = (
  onDone?: (answer: unknown) => void
): readonly [dialog: ReactNode, open: (form: DialogForm) => void] => {
  const [form, setForm] = useState<DialogForm>()
  const close = () => setForm(undefined)
  const done = (answer: unknown) => {
    close()
    form?.onDone?.(answer)
    onDone?.(answer)
  }
  const dialog =
    form === undefined ? null : (
      <Dialog isDrawer title={form.submitLabel} onClose={close}>
        <SchemaForm {...form} onDone={done} onCancel={close} />
      </Dialog>
    )
  return [dialog, setForm]
}
