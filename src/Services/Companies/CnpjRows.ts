import { Either } from "effect"
import type { CompanyType } from "../Prospecting/Targeting.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"

/**
 * Rows of the open company data that the Brazilian federal revenue service publishes each month: Latin-1, no header,
 * quoted fields separated by semicolons. Layout: "Cadastro Nacional da Pessoa Jurídica, dados abertos".
 */

/** Kinds of files, as their names begin. Kinds that are not read (Simples, Motivos) are missing. */
export type CnpjFileKind = "Empresas" | "Estabelecimentos" | "Socios" | "Municipios"

/** The number of fields in a row of each kind. */
export const fieldCounts: { readonly [K in CnpjFileKind]: number } = {
  Empresas: 7,
  Estabelecimentos: 30,
  Socios: 11,
  Municipios: 2
}

/** The kind of a file by its name, such as `K3241.K03200Y0.D40914.EMPRECSV` or `Empresas0.zip`. */
export const kindOfFile = (name: string): CnpjFileKind | undefined => {
  const upper = name.toUpperCase()
  if (upper.startsWith("EMPRESAS") || upper.includes("EMPRECSV")) return "Empresas"
  if (upper.startsWith("ESTABELECIMENTOS") || upper.includes("ESTABELE")) return "Estabelecimentos"
  if (upper.startsWith("SOCIOS") || upper.includes("SOCIOCSV")) return "Socios"
  return upper.startsWith("MUNICIPIOS") || upper.includes("MUNICCSV") ? "Municipios" : undefined
}

/** Parses a line whose fields contain quotation marks or separators. */
const parseCarefully = (line: string): ReadonlyArray<string> => {
  const fields: Array<string> = []
  let field = ""
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]
    if (character === '"') {
      if (isQuoted && line[at + 1] === '"') {
        field += '"'
        at++
      } else isQuoted = !isQuoted
    } else if (character === ";" && !isQuoted) {
      fields.push(field)
      field = ""
    } else field += character
  }
  return [...fields, field]
}

/** The fields of a line. Undefined if their number is wrong. */
export const fieldsOf = (line: string, count: number): ReadonlyArray<string> | undefined => {
  if (line.startsWith('"') && line.endsWith('"')) {
    const fast = line.slice(1, -1).split('";"')
    if (fast.length === count) return fast
  }
  const fields = parseCarefully(line)
  return fields.length === count ? fields : undefined
}

const particles: ReadonlyMap<string, string> = new Map(
  ["de", "da", "do", "das", "dos", "e", "em", "para", "com", "a", "o"].flatMap((word) => [
    [word, word],
    [word.toUpperCase(), word]
  ])
)
const initials: ReadonlySet<string> = new Set("ME EPP SA S/A EIRELI MEI SPE SCP TI RH LTD II III IV VI VII".split(" "))

const wordCase = (word: string): string =>
  initials.has(word) ? word : word.toLowerCase().replace(/(^|[-.'&/])(\p{L})/gu, (letters) => letters.toUpperCase())

/** How many words are cached. Names repeat the same words. */
const maximumWords = 20_000
const casedWords = new Map<string, string>()

const cachedCase = (word: string): string => {
  const cachedWord = casedWords.get(word)
  if (cachedWord !== undefined) return cachedWord
  const casedWord = wordCase(word)
  if (casedWords.size >= maximumWords) casedWords.clear()
  // A substring keeps the whole line in memory. A copied string does not.
  const fresh = casedWord.toUpperCase()
  if (fresh === word) casedWords.set(fresh, casedWord)
  return casedWord
}

/** A person's tax number would be at the end of the name. */
const endsInDigit = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 48 && last <= 57
}

/** Most names have only single spaces. */
const oddSpace = /\s\s|[^\S ]/

/** `CLINICA SAO JOSE LTDA` becomes `Clinica Sao Jose Ltda`. A person's tax number at the end is removed. */
export const nameCase = (text: string): string => {
  const tidy = (oddSpace.test(text) ? text.replace(/\s+/g, " ") : text).trim()
  const words = (endsInDigit(tidy) ? tidy.replace(/ ?\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/, "").trim() : tidy).split(" ")
  let name = ""
  for (const word of words) {
    if (name === "") name = cachedCase(word)
    else {
      const lower = particles.get(word)
      name += ` ${lower ?? cachedCase(word)}`
    }
  }
  return name
}

/** The type by the first digits of the legal nature (classification of IBGE's commission CONCLA). */
export const typeOfNature = (nature: string): CompanyType => {
  if (nature === "2011" || nature === "2038") return "StateOwned"
  if (nature === "2135" || nature.startsWith("4")) return "Individual"
  if (nature.startsWith("1") || nature.startsWith("5")) return "Government"
  return nature.startsWith("3") ? "NonProfit" : "Private"
}

/** The stored size: 1 micro, 2 small, 3 larger (the source does not distinguish), 0 unknown. */
export const sizeClass = (size: string): 0 | 1 | 2 | 3 =>
  size === "01" || size === "1" ? 1 : size === "03" || size === "3" ? 2 : size === "05" || size === "5" ? 3 : 0

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Computed without the Date object, which took half of the time of reading a row. */
const isDay = (year: number, month: number, day: number): boolean => {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0) + (isLeap ? 1 : 0)
}

/** `20240131` as a date. Null for no date or an impossible one. */
export const dayOf = (digits: string): string | null => {
  if (!/^(?:19|20)\d{6}$/.test(digits)) return null
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)]
  return isDay(Number(year), Number(month), Number(day)) ? `${year}-${month}-${day}` : null
}

/** E.164 from area code and number. Mobile numbers of eight digits get the ninth. Null if it cannot be a number. */
export const phoneOf = (area: string, number: string): string | null => {
  const code = area.replace(/\D/g, "").replace(/^0+/, "")
  const digits = number.replace(/\D/g, "").replace(/^0+/, "")
  if (!/^[1-9][1-9]$/.test(code) || /^(\d)\1+$/.test(digits)) return null
  if (/^[2-5]\d{7}$/.test(digits)) return `+55${code}${digits}`
  if (/^[6-9]\d{7}$/.test(digits)) return `+55${code}9${digits}`
  return /^9[6-9]\d{7}$/.test(digits) ? `+55${code}${digits}` : null
}

/** In the form in which leads store it. Null if it is no address. */
export const emailOf = (text: string): string | null =>
  text === "" ? null : Either.getOrElse(normaliseEmail(text), () => null)

export interface CnpjCompany {
  /** The first eight characters of the number, which all places of business of a company share. */
  readonly base: string
  readonly name: string
  readonly type: CompanyType
  readonly size: 0 | 1 | 2 | 3
}

export const companyOf = ([base = "", name = "", nature = "", , , size = ""]: ReadonlyArray<string>):
  | CnpjCompany
  | undefined =>
  /^[0-9A-Z]{8}$/.test(base) && name !== ""
    ? { base, name: nameCase(name), type: typeOfNature(nature), size: sizeClass(size) }
    : undefined

export interface CnpjPlace {
  /** The number of fourteen characters. */
  readonly cnpj: string
  readonly tradeName: string | null
  /** A code of seven digits. */
  readonly cnae: string
  readonly state: string
  /** The municipality's number in the source. */
  readonly municipality: string
  readonly foundedOn: string | null
  readonly email: string | null
  readonly phone: string | null
}

const activeStatuses: ReadonlySet<string> = new Set(["2", "02"])
/** Indexes of the columns that are read. */
const column = { foundedOn: 10, cnae: 11, state: 19, municipality: 20, phones: [21, 23], email: 27 } as const

/** An active place of business. `inactive` for others, undefined for an unreadable row. */
export const placeOf = (fields: ReadonlyArray<string>): CnpjPlace | "inactive" | undefined => {
  const at = (index: number): string => fields[index] ?? ""
  const cnpj = at(0) + at(1) + at(2)
  const [tradeName, status, cnae] = [at(4), at(5), at(column.cnae)]
  if (!/^[0-9A-Z]{12}\d{2}$/.test(cnpj)) return undefined
  if (!activeStatuses.has(status)) return "inactive"
  if (!/^\d{7}$/.test(cnae)) return undefined
  const [firstPhone, secondPhone] = column.phones
  return {
    cnpj,
    tradeName: tradeName.trim() === "" ? null : nameCase(tradeName),
    cnae,
    state: at(column.state),
    municipality: at(column.municipality).replace(/^0+(?=\d)/, ""),
    foundedOn: dayOf(at(column.foundedOn)),
    email: emailOf(at(column.email).trim()),
    phone: phoneOf(at(firstPhone), at(firstPhone + 1)) ?? phoneOf(at(secondPhone), at(secondPhone + 1))
  }
}

/** Codes of people who represent a company: managing partners, managers, owners, presidents. */
const representatives: ReadonlySet<string> = new Set(["49", "05", "5", "10", "16", "65", "28", "22", "08", "8"])

export interface CnpjPartner {
  readonly base: string
  readonly name: string
}

/** A person who represents a company. Undefined for others, and for partners that are companies. */
export const partnerOf = ([base = "", kind = "", name = "", , qualification = ""]: ReadonlyArray<string>):
  | CnpjPartner
  | undefined =>
  kind === "2" && representatives.has(qualification) && /^[0-9A-Z]{8}$/.test(base) && name.trim() !== ""
    ? { base, name: nameCase(name) }
    : undefined
