import { type ReactNode, useState } from "react"
import { SchemaForm, type SchemaFormProps } from "../../form/SchemaForm.tsx"
import { Dialog } from "../../parts/Dialog.tsx"

type Form = Omit<SchemaFormProps, "onCancel">

/** A tool's form in a drawer, for screens with several. */
export const useFormDialog = (): readonly [ReactNode, (form: Form) => void] => {
  const [form, setForm] = useState<Form>()
  const close = () => setForm(undefined)
  const done = (answer: unknown) => {
    close()
    form?.onDone?.(answer)
  }
  const dialog =
    form === undefined ? null : (
      <Dialog isDrawer title={form.submitLabel} onClose={close}>
        <SchemaForm {...form} onDone={done} onCancel={close} />
      </Dialog>
    )
  return [dialog, setForm]
}
