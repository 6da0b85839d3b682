import { type FormEvent, useRef, useState } from "react"
import { CallError } from "../../../calls/CallError.ts"
import { errorText } from "../../../calls/ErrorText.ts"
import type { ToolDocument } from "../../../form/Catalog.ts"
import { FieldControl } from "../../../form/FieldControl.tsx"
import { type Draft, type Field, fieldOfError, problemOf } from "../../../form/Schema.ts"
import { useTexts } from "../../../i18n/Messages.tsx"
import { Button } from "../../../parts/Button.tsx"

/** With more fields than this, optional fields without a value are folded. */
const mostUnfolded = 5

interface ToolFieldsProps {
  readonly tool: ToolDocument
  readonly fields: ReadonlyArray<Field>
  readonly draft: Draft
  readonly error: unknown
  readonly isBusy: boolean
  readonly set: (name: string, value: string) => void
  readonly run: (isDryRun: boolean) => void
}

const refusedField = (fields: ReadonlyArray<Field>, error: unknown): string | undefined =>
  error instanceof CallError
    ? fieldOfError(fields, `${error.message} ${error.details.detail}`, error.details.reason)
    : undefined

/** The form that is made from a tool's parameters, with a button that only tries the call. */
export const ToolFields = ({ draft, error, fields, isBusy, run, set, tool }: ToolFieldsProps) => {
  const texts = useTexts()
  const { t } = texts
  const [wasSent, setWasSent] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const refused = refusedField(fields, error)
  const problems = new Map(fields.map((field) => [field.name, problemOf(field, draft)]))
  const isFolded = (field: Field) =>
    fields.length > mostUnfolded && !field.isRequired && (draft[field.name] ?? "") === field.defaultValue
  // The first draft decides which fields are folded, so that they do not move while the reader types.
  const [foldedNames] = useState<ReadonlySet<string>>(() => new Set(fields.filter(isFolded).map(({ name }) => name)))
  const attempt = (isDryRun: boolean) => {
    setWasSent(true)
    const first = fields.find(({ name }) => problems.get(name) !== undefined)
    if (first === undefined) return run(isDryRun)
    const control = element.current?.elements.namedItem(first.name)
    if (control instanceof HTMLElement) control.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt(false)
  }
  const control = (field: Field) => (
    <FieldControl
      key={field.name}
      field={field}
      value={draft[field.name] ?? ""}
      set={(value) => set(field.name, value)}
      problem={
        (wasSent ? problems.get(field.name) : undefined) ??
        (refused === field.name ? errorText(texts, error) : undefined)
      }
      showsCatalogHelp
    />
  )
  const openFields = fields.filter(({ name }) => !foldedNames.has(name))
  const foldedFields = fields.filter(({ name }) => foldedNames.has(name))
  return (
    <form ref={element} className="form" noValidate onSubmit={submit} aria-label={tool.name}>
      {fields.length === 0 ? <p className="faint small">{t("developers.tools.noParameters")}</p> : null}
      {openFields.map(control)}
      {foldedFields.length === 0 ? null : (
        <details className="folded">
          <summary>{t("developers.tools.optional", { count: foldedFields.length })}</summary>
          <div className="form">{foldedFields.map(control)}</div>
        </details>
      )}
      <div className="dialog-actions">
        {tool.kind === "read" ? null : (
          <Button icon="flask" isBusy={isBusy} writes onClick={() => attempt(true)}>
            {t("developers.tools.dryRun")}
          </Button>
        )}
        <Button
          type="submit"
          icon="play"
          kind={tool.kind === "destructive" ? "danger" : "primary"}
          writes={tool.kind !== "read"}
          isBusy={isBusy}
        >
          {t("developers.tools.call")}
        </Button>
      </div>
    </form>
  )
}
