// Has no imports, because the thread that parses workbooks loads it.

/** A row of a lead file. `fileRow` counts from 1, including blank rows. */
export interface ImportRow {
  readonly fileRow: number
  readonly cells: ReadonlyArray<string>
}

/** Further columns are ignored, because a hostile row may have thousands. */
export const maximumColumns = 256

/** The most characters of a field that are stored. */
export const maximumFieldLength = 1000

/** True for a row that has nothing but white space. */
export const isBlank = (cells: ReadonlyArray<string>): boolean => cells.every((cell) => cell.trim() === "")

const placeholders = new Set([
  ..."n/a, n.a., n.a, #n/a, n/d, n.d., n/i, null, nan, none, nil, undefined, tbd, tbc, xx, xxx".split(", "),
  ..."não tem, nao tem, não informado, nao informado, sem e-mail, sem email, sem telefone, pendente".split(", "),
  ..."no tiene, sin correo, sin teléfono, sin telefono, pendiente, no e-mail, no email, no phone, unknown".split(", ")
])

/** True for a cell that says that there is no value: `-`, `n/a`, `???`. */
export const isPlaceholder = (cell: string): boolean => {
  const text = cell.trim()
  return (
    text !== "" &&
    text.length <= 20 &&
    (!/[\p{L}\p{N}]/u.test(text) || placeholders.has(text.toLowerCase()) || text === "0")
  )
}
