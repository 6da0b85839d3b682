import { Either } from "effect"
import { type ImportRow, maximumColumns, maximumFieldLength } from "./ImportRow.ts"
import { withFormulas } from "./LeadCsv.ts"
import { LeadFileError, type LeadFileRow } from "./LeadFile.ts"

const optionalFields = ["linkedin_url", "city", "state", "country", "job_title", "website", "notes"] as const
type OptionalField = (typeof optionalFields)[number]
type Field = "name" | "first_name" | "last_name" | "email" | "phone" | "company" | OptionalField

/** The columns of each field, in the order of the file. */
type ColumnsByField = { readonly [field in Field]: ReadonlyArray<number> }

/** Which columns of a file contain which fields. */
export interface LeadFileColumns {
  /** The file row of the header, 0 if the file has none. */
  readonly headerRow: number
  readonly byField: ColumnsByField
  /** The column of a plain list that may mix e-mail addresses and phone numbers, one per line. */
  readonly mixed: number | undefined
}

/** How many non-blank rows at the start of a file `recogniseColumns` reads. */
export const headerSearchRows = 10

const list = (...lines: ReadonlyArray<string>) => lines.flatMap((line) => line.split(", "))

/** Header names in Portuguese, English and Spanish. */
const headerNames: { readonly [field in Field]: ReadonlyArray<string> } = {
  name: list(
    "nome, nome completo, nome e sobrenome, nome do lead, contato, cliente, responsável, pessoa, decisor",
    "name, full name, contact, contact name, lead, lead name, person, display name",
    "nombre, nombre completo, nombre y apellido, nombre y apellidos, contacto, responsable, persona"
  ),
  first_name: list("primeiro nome, prenome", "first name, given name, forename", "primer nombre, nombres"),
  last_name: list("sobrenome, último nome", "last name, surname, family name", "apellido, apellidos, primer apellido"),
  email: list(
    "e-mail, endereço eletrônico, correio eletrônico",
    "mail",
    "correo, correo e, correo electrónico, dirección electrónica"
  ),
  phone: list(
    "telefone, tel, fone, celular, cel, móvel, telemóvel, whatsapp, whats, wpp, zap",
    "telefone celular, telefone móvel, telefone fixo, telefone residencial, telefone whatsapp, telefone da empresa",
    "phone, telephone, mobile, mobile phone, phone mobile, cell, cell phone, home phone, office phone, other phone",
    "whatsapp phone, company phone",
    "teléfono, móvil, teléfono móvil, teléfono celular, teléfono fijo, teléfono whatsapp, teléfono de la empresa"
  ),
  company: list(
    "empresa, nome da empresa, razão social, nome fantasia, companhia, organização, instituição, negócio",
    "company, company name, organization, organization name, organisation, organisation name, account, account name",
    "business, business name, employer",
    "compañía, nombre de la empresa, nombre de la compañía, razón social, nombre comercial, organización, negocio"
  ),
  linkedin_url: list(
    "linkedin, perfil linkedin, url linkedin, link linkedin, url do perfil linkedin",
    "linkedin url, linkedin profile, linkedin profile url, person linkedin url",
    "url de perfil de linkedin"
  ),
  city: list("cidade, município, localidade, cidade da empresa", "city, town, company city", "ciudad, localidad"),
  state: list(
    "estado, uf, província, região, estado da empresa",
    "state, province, region, company state",
    "provincia, región"
  ),
  country: list("país, país da empresa", "country, country region, company country"),
  job_title: list(
    "cargo, função, ocupação, profissão",
    "job title, job, title, position, role, organization title",
    "puesto, ocupación, profesión"
  ),
  website: list(
    "site, site da empresa, url do site, página web, domínio",
    "website, web site, company website, homepage, url, web, domain, company domain",
    "sitio, sitio web, dominio"
  ),
  notes: list(
    "observações, observação, obs, notas, anotações, comentários",
    "notes, note, comments, remarks",
    "observaciones, comentarios"
  )
}

const wordSet = (...lines: ReadonlyArray<string>) => new Set(lines.flatMap((line) => line.split(" ")))

const articles = wordSet("de do da dos das del la el los las o os the of no na")
/** Words that may accompany a field's name without changing which field it is. */
const qualifiers = wordSet(
  "principal primary main work business personal pessoal profissional professional profesional corporativo corporate",
  "comercial direct direto directo preferred preferencial atual current lead leads cliente client customer prospect",
  "obrigatorio obligatorio required opcional optional"
)
/** `Contato da empresa` is a person at the company, not the company. */
const personWords = wordSet("contato contact contacto pessoa person persona responsavel responsable decisor")
const notOfAPerson = new Set<Field>(["company", "website"])
/** `Endereço de e-mail` is an e-mail address, `Endereço da empresa` is not a company's name. */
const addressWords = wordSet("address endereco direccion numero number num nr value valor")
const withAddressWords = new Set<Field>(["email", "phone", "city", "state", "country"])

/** The words of a header without accents, case, punctuation, remarks in brackets and counting numbers. */
const wordsOf = (header: string): ReadonlyArray<string> =>
  header
    .slice(0, 100)
    .replace(/\([^)]*\)|\[[^\]]*\]/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^\d+|\d+$/g, ""))
    .filter((word) => word !== "")

// Words are joined for the look-up, so E-mail, eMail and EMAIL are one name, and so are Whats App and WhatsApp.
const keyOf = (words: ReadonlyArray<string>) => words.join("")
const withoutArticles = (words: ReadonlyArray<string>) => words.filter((word) => !articles.has(word))

const fieldNames: ReadonlyArray<Field> = [
  ...(["name", "first_name", "last_name", "email", "phone", "company"] as const),
  ...optionalFields
]

const fieldByKey = new Map<string, Field>(
  fieldNames.flatMap((field) =>
    headerNames[field].flatMap((name): ReadonlyArray<readonly [string, Field]> => {
      const words = wordsOf(name)
      return [
        [keyOf(words), field],
        [keyOf(withoutArticles(words)), field]
      ]
    })
  )
)

const fieldOfName = (header: string): Field | undefined => {
  const words = wordsOf(header)
  const exact = fieldByKey.get(keyOf(words))
  if (exact !== undefined) return exact
  const significant = words.filter(
    (word) => !articles.has(word) && !qualifiers.has(word) && !personWords.has(word) && !addressWords.has(word)
  )
  const field = fieldByKey.get(keyOf(significant))
  if (field === undefined) return undefined
  if (notOfAPerson.has(field) && words.some((word) => personWords.has(word))) return undefined
  if (!withAddressWords.has(field) && words.some((word) => addressWords.has(word))) return undefined
  return field
}

/** The field that a header names. `Telefone / Celular` names one, because both halves name the same. */
const fieldOfHeader = (header: string): Field | undefined => {
  const wholeField = fieldOfName(header)
  if (wholeField !== undefined) return wholeField
  const [first, ...others] = header.slice(0, 100).split(/[/|&]|\s(?:ou|or|o|e|y|and)\s/i)
  if (first === undefined || others.length === 0) return undefined
  const field = fieldOfName(first)
  return others.every((other) => fieldOfName(other) === field) ? field : undefined
}

const emailShape = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@.,;<>"]{2,}$/
const phoneShape = /^\+?[\d\s().-]+$/
/** Other things with as many digits as a phone number: dates, CPF, CNPJ, CEP. */
const otherNumberShapes =
  /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[.-]\d{1,2}[.-]\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{5}-\d{3})(?:\s|$)/

const isEmailShaped = (cell: string) => cell.length <= 254 && emailShape.test(cell.trim())

const isPhoneShaped = (cell: string): boolean => {
  const text = cell.trim()
  if (text.length > 40 || !phoneShape.test(text) || otherNumberShapes.test(text)) return false
  const digits = text.replace(/\D/g, "").length
  return digits >= 10 && digits <= 15
}

const isContactShaped = (cell: string) => isEmailShaped(cell) || isPhoneShaped(cell)

const columnsWhere = (width: number, holds: (column: number) => boolean): ReadonlyArray<number> =>
  Array.from({ length: Math.min(width, maximumColumns) }, (_, column) => column).filter(holds)

const namedColumns = (header: ImportRow): ColumnsByField => {
  const fields = header.cells.slice(0, maximumColumns).map(fieldOfHeader)
  const of = (field: Field) => columnsWhere(fields.length, (column) => fields[column] === field)
  return {
    name: of("name"),
    first_name: of("first_name"),
    last_name: of("last_name"),
    email: of("email"),
    phone: of("phone"),
    company: of("company"),
    linkedin_url: of("linkedin_url"),
    city: of("city"),
    state: of("state"),
    country: of("country"),
    job_title: of("job_title"),
    website: of("website"),
    notes: of("notes")
  }
}

const isName = (cell: string) => /\p{L}/u.test(cell) && !/[\d@]/.test(cell)

/**
 * The columns of a file without a header, by their content: addresses, numbers, and the first text column as the name.
 */
const columnsByContent = (head: ReadonlyArray<ImportRow>): LeadFileColumns => {
  const width = Math.max(...head.map((row) => row.cells.length))
  const some = (column: number, shape: (cell: string) => boolean) => head.some((row) => shape(row.cells[column] ?? ""))
  const email = columnsWhere(width, (column) => some(column, isEmailShaped))
  const phone = columnsWhere(width, (column) => !some(column, isEmailShaped) && some(column, isPhoneShaped))
  const words = columnsWhere(width, (column) => !some(column, isContactShaped) && some(column, isName))
  return {
    headerRow: 0,
    byField: { ...namedColumns({ fileRow: 0, cells: [] }), email, phone, name: words.slice(0, 1) },
    mixed: width === 1 ? 0 : undefined
  }
}

const fieldCount = (columns: ColumnsByField) => fieldNames.filter((field) => columns[field].length > 0).length
const hasContact = (columns: ColumnsByField) => columns.email.length > 0 || columns.phone.length > 0

const headerAdvice = "Name the columns in the first row, for example: Nome, E-mail, Telefone, Empresa."

/**
 * Finds the header among a file's first non-blank rows. If the first row already contains an e-mail address or a phone
 * number, columns are recognised by content. Lines above the header, such as a title, are skipped. Fails with
 * `no_recognised_columns` or `no_contact_column`.
 */
export const recogniseColumns = (head: ReadonlyArray<ImportRow>): Either.Either<LeadFileColumns, LeadFileError> => {
  const firstData = head.findIndex((row) => row.cells.slice(0, maximumColumns).some(isContactShaped))
  if (firstData === 0) return Either.right(columnsByContent(head))
  let header: ImportRow | undefined
  let best = 0
  let byField = namedColumns({ fileRow: 0, cells: [] })
  for (const row of firstData < 0 ? head : head.slice(0, firstData)) {
    const columns = namedColumns(row)
    const score = fieldCount(columns) + (hasContact(columns) ? fieldNames.length : 0)
    if (score > best) {
      header = row
      best = score
      byField = columns
    }
  }
  if (header === undefined) {
    return Either.left(
      new LeadFileError({
        reason: "no_recognised_columns",
        message: "No column of the file is recognised.",
        detail: headerAdvice
      })
    )
  }
  if (!hasContact(byField)) {
    return Either.left(
      new LeadFileError({
        reason: "no_contact_column",
        message: "The file has neither an e-mail nor a phone column.",
        detail: `Every lead needs an e-mail address or a phone number. ${headerAdvice}`,
        file_row: header.fileRow
      })
    )
  }
  return Either.right({ headerRow: header.fileRow, byField, mixed: undefined })
}

/** `="0119999"`: some programs write this so that a spreadsheet does not read the CSV field as a number. */
const asText = /^="([^"]*)"$/

const fieldText = (cell: string): string => {
  const trimmed = cell.trim()
  // Long cells are cut below, so a formula mark in megabytes of text does not matter.
  const plain = trimmed.length <= maximumFieldLength ? withFormulas(trimmed) : trimmed
  const text = plain.startsWith('="') ? plain.replace(asText, "$1") : plain
  // NUL cannot be stored as text, and half of a surrogate pair cannot be sent.
  return text.length <= maximumFieldLength && !text.includes("\0")
    ? text
    : text
        .replaceAll("\0", "")
        .slice(0, maximumFieldLength)
        .replace(/[\ud800-\udbff]$/, "")
}

const firstFilled = (cells: ReadonlyArray<string>, columns: ReadonlyArray<number>): string => {
  for (const column of columns) {
    const text = fieldText(cells[column] ?? "")
    if (text !== "") return text
  }
  return ""
}

const endsWithName = (full: string, last: string) => full.toLowerCase().endsWith(last.toLowerCase())

const nameOf = (cells: ReadonlyArray<string>, columns: ColumnsByField): string => {
  const full = firstFilled(cells, columns.name)
  const last = firstFilled(cells, columns.last_name)
  const first = columns.first_name.length > 0 ? firstFilled(cells, columns.first_name) : ""
  // Next to a first-name column, a name column is the whole name. Next to a last-name column only, it is the first
  // name.
  if (full !== "" && (columns.first_name.length > 0 || last === "" || endsWithName(full, last))) return full
  return `${full === "" ? first : full} ${last}`.trim().slice(0, maximumFieldLength)
}

/** The lead of a row. */
export const toLeadFileRow = (columns: LeadFileColumns, row: ImportRow): LeadFileRow => {
  const { cells, fileRow } = row
  const { byField } = columns
  const mixed = columns.mixed === undefined ? "" : fieldText(cells[columns.mixed] ?? "")
  const lead: { -readonly [key in keyof LeadFileRow]: LeadFileRow[key] } = {
    row_number: fileRow - columns.headerRow,
    file_row: fileRow,
    name: nameOf(cells, byField),
    email: columns.mixed === undefined ? firstFilled(cells, byField.email) : mixed.includes("@") ? mixed : "",
    phone: columns.mixed === undefined ? firstFilled(cells, byField.phone) : mixed.includes("@") ? "" : mixed,
    company: firstFilled(cells, byField.company)
  }
  for (const field of optionalFields) {
    if (byField[field].length === 0) continue
    const text = firstFilled(cells, byField[field])
    if (text !== "") lead[field] = text
  }
  return lead
}
