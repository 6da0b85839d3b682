import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useRef, useState } from "react"
import { callAnyTool } from "../calls/Call.ts"
import { CallError } from "../calls/CallError.ts"
import { errorText } from "../calls/ErrorText.ts"
import { useSession } from "../calls/Session.ts"
import type { TestAccountTool, ToolName } from "../calls/Tools.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Button } from "../parts/Button.tsx"
import { confirmDestructive } from "../parts/dialogs/Confirm.ts"
import { showToast } from "../parts/dialogs/Toasts.ts"
import { Answer, ErrorNote } from "../parts/States.tsx"
import { type ToolDocument, useToolDocument } from "./Catalog.ts"
import { type FieldChoice, FieldControl } from "./FieldControl.tsx"
import { argumentsOf, type Draft, type Field, fieldOfError, fieldsOf, localOf, problemOf } from "./Schema.ts"

export interface SchemaFormProps {
  readonly tool: ToolName | TestAccountTool
  /** Arguments that the screen sets itself, such as the lead. They are not shown. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** The fields to show, in this order. By default all. */
  readonly fields?: ReadonlyArray<string>
  /** The current values of the fields. Only changes are sent. */
  readonly present?: Readonly<Record<string, unknown>>
  /** First values of a form that creates something. */
  readonly initial?: Readonly<Record<string, unknown>>
  /** The values of fields that the screen knows, such as the account's campaigns. The person chooses from a list. */
  readonly choices?: Readonly<Record<string, ReadonlyArray<FieldChoice>>>
  readonly submitLabel: string
  readonly doneText?: string
  readonly confirm?: { readonly title: string; readonly body: string }
  readonly onDone?: (answer: unknown) => void
  readonly onCancel?: () => void
  readonly showsCatalogHelp?: boolean
  readonly children?: ReactNode
}

const draftText = (field: Field, value: unknown, timeZone: string): string => {
  if (Array.isArray(value)) return value.join(",")
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value !== "string") return ""
  return field.kind === "moment" && value !== "" ? localOf(value, timeZone) : value
}

const draftOf = (fields: ReadonlyArray<Field>, values: Readonly<Record<string, unknown>>, zone: string): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, draftText(field, values[field.name], zone)]))

const defaultsOf = (fields: ReadonlyArray<Field>): Draft =>
  Object.fromEntries(fields.map(({ defaultValue, name }) => [name, defaultValue]))

const initialOf = (fields: ReadonlyArray<Field>, { initial = {} }: SchemaFormProps, zone: string): Draft =>
  draftOf(
    fields.filter(({ name }) => name in initial),
    initial,
    zone
  )

const shownFields = (document: ToolDocument, { fields, fixed = {} }: SchemaFormProps): ReadonlyArray<Field> => {
  const all = fieldsOf(document.parameters).filter(({ name }) => !(name in fixed))
  return fields === undefined ? all : fields.flatMap((name) => all.filter((field) => field.name === name))
}

const LoadedForm = ({ document, form }: { readonly document: ToolDocument; readonly form: SchemaFormProps }) => {
  const texts = useTexts()
  const client = useQueryClient()
  const zone = useSession()?.account.time_zone ?? "UTC"
  const fields = shownFields(document, form)
  const present = form.present === undefined ? undefined : draftOf(fields, form.present, zone)
  const [draft, setDraft] = useState<Draft>(
    () => present ?? { ...defaultsOf(fields), ...initialOf(fields, form, zone) }
  )
  const [wasSent, setWasSent] = useState(false)
  const idempotencyKey = useRef(crypto.randomUUID())
  const element = useRef<HTMLFormElement>(null)

  const mutation = useMutation({
    mutationFn: async (): Promise<{ readonly answer: unknown } | undefined> => {
      const args = { ...form.fixed, ...argumentsOf(fields, draft, zone, present) }
      if (document.kind !== "destructive") {
        return { answer: await callAnyTool(form.tool, args, { idempotencyKey: idempotencyKey.current }) }
      }
      const question = form.confirm ?? { title: form.submitLabel, body: document.description }
      const confirmation = await confirmDestructive({ tool: form.tool, args, action: form.submitLabel, ...question })
      if (confirmation === undefined) return undefined
      return { answer: await callAnyTool(form.tool, args, { confirmation }) }
    },
    onSuccess: async (result) => {
      if (result === undefined) return
      if (form.doneText !== undefined) showToast({ text: form.doneText })
      form.onDone?.(result.answer)
      await client.invalidateQueries()
    },
    onSettled: () => {
      idempotencyKey.current = crypto.randomUUID()
    }
  })

  const { error } = mutation
  const refused =
    error instanceof CallError
      ? fieldOfError(fields, `${error.message} ${error.details.detail}`, error.details.reason)
      : undefined
  const problems = new Map(fields.map((field) => [field.name, problemOf(field, draft)]))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    const first = fields.find(({ name }) => problems.get(name) !== undefined)
    if (first === undefined) return mutation.mutate()
    const control = element.current?.elements.namedItem(first.name)
    if (control instanceof HTMLElement) control.focus()
  }
  return (
    <form ref={element} className="form" noValidate onSubmit={submit} aria-label={form.submitLabel}>
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          choices={form.choices?.[field.name]}
          value={draft[field.name] ?? ""}
          set={(value) => {
            setDraft((before) => ({ ...before, [field.name]: value }))
            if (error !== null) mutation.reset()
          }}
          problem={
            (wasSent ? problems.get(field.name) : undefined) ??
            (refused === field.name ? errorText(texts, error) : undefined)
          }
          showsCatalogHelp={form.showsCatalogHelp === true}
        />
      ))}
      {form.children}
      {error === null || refused !== undefined ? null : <ErrorNote error={error} />}
      <div className="dialog-actions">
        {form.onCancel === undefined ? null : <Button onClick={form.onCancel}>{texts.t("common.cancel")}</Button>}
        <Button
          type="submit"
          kind={document.kind === "destructive" ? "danger" : "primary"}
          writes
          isBusy={mutation.isPending}
        >
          {form.submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** A form made from a tool's parameters: labels, help, choices, checks, and the gateway's refusal at its field. */
export const SchemaForm = (form: SchemaFormProps) => (
  <Answer of={useToolDocument(form.tool)} lines={6}>
    {(document) => <LoadedForm key={form.tool} document={document} form={form} />}
  </Answer>
)
