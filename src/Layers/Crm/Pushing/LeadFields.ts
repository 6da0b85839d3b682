import { createHash } from "node:crypto"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { CrmWarning } from "../../../Services/Crm/CrmModel.ts"
import {
  type FieldDefinition,
  type Fields,
  fieldNamed,
  filledIn,
  takesValue,
  usualFields
} from "../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../Services/Crm/Ids.ts"
import type { CrmLeadFacts } from "./LeadFacts.ts"

export interface CustomField {
  readonly field_name: string
  readonly field_value: string
}

/** Mail hosts that many companies share, so that they do not identify one. */
const sharedHosts = /^(?:gmail|googlemail|hotmail|outlook|live|msn|yahoo|icloud|uol|bol|terra|ig|globo)\./

export const domainOf = ({ email, website }: Pick<CrmLeadFacts, "email" | "website">): string | undefined => {
  const given = website?.trim() ?? ""
  const url = parsedUrl(given) ?? parsedUrl(`https://${given}`)
  const host = url?.hostname.replace(/^www\./, "") ?? ""
  if (host.includes(".")) return host
  const ofMail = email?.split("@")[1] ?? ""
  return ofMail === "" || sharedHosts.test(ofMail) ? undefined : ofMail
}

/**
 * Returns the lane of each lead. Leads whose companies share a name or a domain share a lane, because the CRM may have
 * one record for them. They are sent one after another, and find the record that the first one created.
 */
export const companyLanes = (
  leads: ReadonlyArray<Pick<CrmLeadFacts, "leadId" | "company" | "email" | "website">>
): ReadonlyMap<CrmLeadFacts["leadId"], string> => {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    return root
  }
  const keysOf = ({ company, leadId, ...lead }: (typeof leads)[number]): ReadonlyArray<string> => {
    const name = (company ?? "").trim().toLowerCase()
    const domain = domainOf(lead)
    return [name === "" ? `lead ${leadId}` : `name ${name}`, ...(domain === undefined ? [] : [`domain ${domain}`])]
  }
  for (const lead of leads) {
    const [first = "", second] = keysOf(lead).map(rootOf)
    if (second !== undefined && second !== first) parents.set(second, first)
  }
  return new Map(leads.map((lead) => [lead.leadId, rootOf(keysOf(lead)[0] ?? "")]))
}

/** The fields that have a value. */
export const present = (fields: { readonly [field: string]: string | null | undefined }): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value === null || value === undefined || value === "" ? [] : [[field, value]]
    )
  )

export interface CustomValues {
  readonly byKind: { readonly [K in CrmKind]: Fields }
  /** Values for which the CRM has no field. They go into the note. */
  readonly lines: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<CrmWarning>
}

/** The values of the account's custom fields, by the records that have a field for them. */
export const customValues = (
  lead: CrmLeadFacts,
  fields: ReadonlyArray<CustomField>,
  definitions: ReadonlyArray<FieldDefinition>
): CustomValues => {
  const byKind: { [K in CrmKind]: { [field: string]: string } } = { company: {}, person: {}, deal: {} }
  const lines: Array<string> = []
  const warnings: Array<CrmWarning> = []
  for (const { field_name, field_value } of fields) {
    const value = filledIn(field_value, lead)
    if (value === "") continue
    const field = fieldNamed(definitions, field_name)
    if (field !== undefined && takesValue(field, value)) {
      byKind[field.kind][`=${field.key}`] = value
      continue
    }
    lines.push(`${field_name}: ${value}`)
    warnings.push({
      reason: field === undefined ? "field_unknown" : "field_of_other_type",
      field_name,
      detail:
        field === undefined
          ? "The CRM has no field of this label or key: the value goes into the note. Make the field there, or remove it here."
          : "The CRM's field does not take this value: it goes into the note. Use a field of text, or send a value of its kind."
    })
  }
  const ownNames = new Set(fields.map(({ field_name }) => fieldNamed(definitions, field_name)?.key))
  for (const { names, value } of usualFields) {
    const field = names.map((name) => fieldNamed(definitions, name)).find((each) => each?.type === "text")
    const text = filledIn(value, lead)
    if (field !== undefined && text !== "" && !ownNames.has(field.key)) byKind[field.kind][`=${field.key}`] = text
  }
  return { byKind, lines, warnings }
}

/** The gateway's key of a record. It is always the same for the same lead, and for the same company of an account. */
export const keyOf = (...parts: ReadonlyArray<number | string>): string =>
  `pgw${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 17)}`
