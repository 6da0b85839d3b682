import { type ReactNode, useId } from "react"
import { humanized, type Texts, useTexts } from "../i18n/Messages.tsx"
import { Icon } from "../parts/Icon.tsx"
import type { Field, Problem } from "./Schema.ts"

/** A value that a field can have, and how a person reads it. */
export interface FieldChoice {
  readonly value: string
  readonly text: string
}

interface FieldProps {
  readonly field: Field
  /** Values that the screen knows, such as the account's campaigns. */
  readonly choices?: ReadonlyArray<FieldChoice> | undefined
  readonly value: string
  readonly set: (value: string) => void
  readonly problem: Problem | string | undefined
  /** Shows the catalog's English description of the field, if the console has none. */
  readonly showsCatalogHelp: boolean
}

interface ControlProps extends Pick<FieldProps, "choices" | "field" | "value" | "set"> {
  readonly attributes: {
    readonly id: string
    readonly name: string
    readonly required: boolean
    readonly "aria-invalid": boolean
    readonly "aria-describedby": string | undefined
  }
}

const inputTypes: Partial<Record<Field["kind"], string>> = {
  date: "date",
  moment: "datetime-local",
  email: "email",
  address: "url"
}

const inputModes: Partial<Record<Field["kind"], "numeric" | "decimal">> = { integer: "numeric", number: "decimal" }

const Choices = ({ field, set, value }: Pick<FieldProps, "field" | "value" | "set">) => {
  const { valueText } = useTexts()
  const selected = new Set(value.split(",").filter((item) => item !== ""))
  const toggle = (item: string) => {
    if (!selected.delete(item)) selected.add(item)
    set(field.options.filter((option) => selected.has(option)).join(","))
  }
  return (
    <div className="chips">
      {field.options.map((option) => (
        <button
          key={option}
          type="button"
          className="chip"
          aria-pressed={selected.has(option)}
          onClick={() => toggle(option)}
        >
          {valueText(field.name, option)}
        </button>
      ))}
    </div>
  )
}

const Choice = ({ attributes, choices, field, set, value }: ControlProps) => {
  const { t, valueText } = useTexts()
  const options = choices ?? field.options.map((option) => ({ value: option, text: valueText(field.name, option) }))
  return (
    <select className="input" {...attributes} value={value} onChange={(event) => set(event.target.value)}>
      {field.isRequired && value !== "" ? null : <option value="">{t("common.none")}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  )
}

const Control = (props: ControlProps) => {
  const { attributes, field, set, value } = props
  if (field.kind === "choice" || props.choices !== undefined) return <Choice {...props} />
  if (field.kind === "longText") {
    return (
      <textarea
        className="input"
        {...attributes}
        rows={4}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    )
  }
  return (
    <input
      className="input"
      {...attributes}
      type={inputTypes[field.kind] ?? "text"}
      inputMode={inputModes[field.kind]}
      value={value}
      onChange={(event) => set(event.target.value)}
    />
  )
}

const problemText = ({ t }: Texts, problem: Problem | string | undefined): string | undefined =>
  problem === undefined || typeof problem === "string"
    ? problem
    : t(`common.problem.${problem.id}`, "limit" in problem ? { limit: problem.limit } : {})

const ErrorLine = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <div className="field-error" id={id}>
    <Icon name="alert" />
    {text}
  </div>
)

/** The label, the help and the control in the order that fits the kind of field. */
const Frame = ({
  control,
  field,
  help,
  id,
  label
}: {
  readonly field: Field
  readonly id: string
  readonly label: string
  readonly help: ReactNode
  readonly control: ReactNode
}) => {
  const { t } = useTexts()
  if (field.kind === "boolean") {
    return (
      <>
        <label className="check">
          {control}
          {label}
        </label>
        {help}
      </>
    )
  }
  return (
    <>
      {field.kind === "choices" ? (
        <legend>{label}</legend>
      ) : (
        <label htmlFor={id}>
          {label} {field.isRequired ? null : <span className="field-optional">{t("common.optional")}</span>}
        </label>
      )}
      {help}
      {control}
    </>
  )
}

/** One field with its label, its help, and its error. */
export const FieldControl = ({ choices, field, problem, set, showsCatalogHelp, value }: FieldProps) => {
  const texts = useTexts()
  const id = useId()
  const ownHelp = texts.optional(`fields.${field.name}.help`)
  const helpText = ownHelp ?? (showsCatalogHelp ? field.help : "")
  const errorText = problemText(texts, problem)
  const described = [helpText === "" ? "" : `${id}-help`, errorText === undefined ? "" : `${id}-error`].join(" ").trim()
  const attributes = {
    id,
    name: field.name,
    required: field.isRequired && field.kind !== "boolean",
    "aria-invalid": errorText !== undefined,
    "aria-describedby": described === "" ? undefined : described
  }
  const control =
    field.kind === "boolean" ? (
      <input
        type="checkbox"
        {...attributes}
        checked={value === "true"}
        onChange={(event) => set(String(event.target.checked))}
      />
    ) : field.kind === "choices" ? (
      <Choices field={field} value={value} set={set} />
    ) : (
      <Control choices={choices} field={field} value={value} set={set} attributes={attributes} />
    )
  const Tag = field.kind === "choices" ? "fieldset" : "div"
  return (
    <Tag className="field">
      <Frame
        field={field}
        id={id}
        label={texts.optional(`fields.${field.name}`) ?? humanized(field.name)}
        help={
          helpText === "" ? null : (
            <div className="field-help" id={`${id}-help`} lang={ownHelp === undefined ? "en" : undefined}>
              {helpText}
            </div>
          )
        }
        control={control}
      />
      {errorText === undefined ? null : <ErrorLine id={`${id}-error`} text={errorText} />}
    </Tag>
  )
}
