import type { CapturedLead } from "../../Leads/CapturedLeads.ts"
import { fold } from "../../Text/PlainText.ts"
import type { SiteField } from "../Site.ts"
import type { FieldTexts } from "./SiteForms.ts"

/** The lead data in a form submission. */
export interface FormLead
  extends Pick<CapturedLead, "name" | "email" | "phone" | "company" | "jobTitle" | "city" | "website"> {
  /** Everything else that was filled in, one line per field. */
  readonly said: string
}

type Place = "name" | "company" | "jobTitle" | "city" | "website"

/** Words of a field's name or label, in Portuguese, English and Spanish, by what the field asks for. */
const words: ReadonlyArray<readonly [Place, RegExp]> = [
  [
    "company",
    /\b(?:empresa|companhia|company|compania|organizacao|organization|organisation|organizacion|negocio|business|razao social)\b/
  ],
  ["jobTitle", /\b(?:cargo|funcao|job|role|position|puesto|ocupacao|ocupacion|title)\b/],
  ["city", /\b(?:cidade|city|ciudad|municipio)\b/],
  ["website", /\b(?:site|website|pagina web|sitio|url)\b/],
  ["name", /\b(?:nome|name|nombre|contato|contacto|full name)\b/]
]

const placeOf = ({ kind, label, name }: SiteField): Place | undefined => {
  if (kind !== "text") return undefined
  const said = fold(name).replaceAll("-", " ")
  const shown = fold(label)
  return (words.find(([, word]) => word.test(said)) ?? words.find(([, word]) => word.test(shown)))?.[0]
}

const longestSaid = 6000

/** Reads a lead from a form's values. Each property comes from the first field that asks for it. */
export const leadOf = (fields: ReadonlyArray<SiteField>, values: FieldTexts): FormLead => {
  const places = new Map<Place | "email" | "phone", string>()
  const surnames: Array<string> = []
  const rest: Array<string> = []
  for (const field of fields) {
    const value = values[field.name]
    if (value === undefined) continue
    const place = field.kind === "email" || field.kind === "phone" ? field.kind : placeOf(field)
    const isSurname = /\b(?:sobrenome|surname|last name|apellidos?)\b/.test(
      fold(`${field.name.replaceAll("-", " ")} ${field.label}`)
    )
    if (isSurname && field.kind === "text") surnames.push(value)
    else if (place !== undefined && !places.has(place)) places.set(place, value)
    else rest.push(`${field.label.trim().replace(/[:?]$/, "").trim()}: ${value}`)
  }
  const email = places.get("email") ?? null
  const phone = places.get("phone") ?? null
  const company = places.get("company") ?? null
  const name = [places.get("name"), ...surnames].flatMap((part) => part ?? []).join(" ")
  return {
    name: name === "" ? (company ?? email?.split("@")[0] ?? phone ?? "?") : name,
    email,
    phone,
    company,
    jobTitle: places.get("jobTitle") ?? null,
    city: places.get("city") ?? null,
    website: places.get("website") ?? null,
    said: rest.join("\n").slice(0, longestSaid).toWellFormed()
  }
}
