import { Option } from "effect"
import type { Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import type { CrmRecord, NewCrmRecord, NoteToAdd, SearchKeys } from "../../Calling/CrmAdapter.ts"
import { at, htmlNote, ownFields, ownNamed, present, sameText, textAt } from "../../Calling/JsonPath.ts"

/** The API version in every path. The CRM publishes one each March and September and supports it for 18 months. */
export const version = "2026-09"

export const objects: { readonly [K in CrmKind]: string } = { company: "companies", person: "contacts", deal: "deals" }

/** Maps the gateway's field names to HubSpot's. */
const names: { readonly [K in CrmKind]: { readonly [field: string]: string } } = {
  company: { name: "name", domain: "domain" },
  person: { email: "email", phone: "phone", job_title: "jobtitle" },
  deal: { title: "dealname", stage: "dealstage", value: "amount" }
}

/** Ids of HubSpot's own association types. */
export const associations = {
  personToCompany: 279,
  dealToPerson: 3,
  dealToCompany: 341,
  noteToDeal: 214,
  meetingToDeal: 212
}

/** Splits a name at the first space, so that a last name of several words stays together. */
const splitName = (name: string): { readonly firstname: string; readonly lastname: string } => {
  const [first = "", ...rest] = name.trim().split(/\s+/)
  return { firstname: first, lastname: rest.join(" ") }
}

export const propertiesOf = (kind: CrmKind, fields: Fields): Fields => ({
  ...Object.fromEntries(
    Object.entries(names[kind]).flatMap(([neutral, own]) => {
      const value = fields[neutral]
      return value === undefined ? [] : [[own, value]]
    })
  ),
  ...(kind === "person" && fields["name"] !== undefined ? splitName(fields["name"]) : {}),
  ...ownFields(fields)
})

export const defaultProperties = (kind: CrmKind): string =>
  [
    ...Object.values(names[kind]),
    ...(kind === "person" ? ["firstname", "lastname"] : []),
    ...(kind === "deal" ? ["hs_is_closed", "hs_is_closed_won", "deal_currency_code"] : [])
  ].join(",")

const fieldsOf = (kind: CrmKind, record: unknown): Fields => {
  const property = (name: string) => textAt(record, "properties", name)
  const fields = Object.entries(names[kind]).map(([neutral, own]) => [neutral, property(own)] as const)
  const name = kind === "person" ? `${property("firstname")} ${property("lastname")}`.trim() : undefined
  return present({ ...Object.fromEntries(fields), ...(name === undefined ? {} : { name }) })
}

const isTrue = (record: unknown, property: string): boolean => textAt(record, "properties", property) === "true"

export const stateOf = (record: unknown): "open" | "won" | "lost" =>
  !isTrue(record, "hs_is_closed") ? "open" : isTrue(record, "hs_is_closed_won") ? "won" : "lost"

export const association = (id: string | undefined, type: number) =>
  id === undefined ? [] : [{ to: { id }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: type }] }]

export const newRecord = (kind: CrmKind, { companyId, fields, ownerId, personId, pipelineId }: NewCrmRecord) => ({
  properties: {
    ...propertiesOf(kind, fields),
    ...(ownerId === undefined ? {} : { hubspot_owner_id: ownerId }),
    ...(kind === "deal" && pipelineId !== undefined ? { pipeline: pipelineId } : {})
  },
  associations:
    kind === "person"
      ? association(companyId, associations.personToCompany)
      : kind === "deal"
        ? [...association(personId, associations.dealToPerson), ...association(companyId, associations.dealToCompany)]
        : []
})

/** Reads a record. A merged record is returned with the id of the record that replaced it. */
export const recordOf = (
  kind: CrmKind,
  id: string,
  ownKeys: ReadonlyArray<string>,
  body: unknown,
  /** The currency of deals that name none. */
  homeCurrency: string
): Option.Option<CrmRecord> =>
  at(body, "archived") === true || textAt(body, "id") !== id
    ? Option.none()
    : Option.some({
        id,
        fields: { ...fieldsOf(kind, body), ...ownNamed(ownKeys, (key) => textAt(body, "properties", key)) },
        ...(kind === "deal"
          ? { state: stateOf(body), currency: textAt(body, "properties", "deal_currency_code") || homeCurrency }
          : {})
      })

/** The properties with a person's phones, and those by which the CRM indexes them: digits without the country code. */
export const phoneProperties = ["phone", "mobilephone"]
export const searchedPhones = ["hs_searchable_calculated_phone_number", "hs_searchable_calculated_mobile_number"]

/** A note or a meeting, linked to its deal. */
export const activityOf = ({ meeting, of, text }: NoteToAdd, time: string) => ({
  properties:
    meeting === undefined
      ? { hs_note_body: htmlNote(text), hs_timestamp: time }
      : {
          hs_timestamp: meeting.startsAt,
          hs_meeting_title: meeting.title,
          hs_meeting_body: htmlNote(text),
          hs_meeting_start_time: meeting.startsAt,
          hs_meeting_end_time: meeting.endsAt
        },
  associations: association(of.dealId, meeting === undefined ? associations.noteToDeal : associations.meetingToDeal)
})

export const idsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> => rows.map((row) => textAt(row, "id"))

/** The companies with the domain, or those with the name if no company has it. */
export const ofCompany = (found: ReadonlyArray<unknown>, { domain, name }: SearchKeys): ReadonlyArray<unknown> => {
  const has = (property: string, value: string | undefined) =>
    found.filter((each) => value !== undefined && sameText(textAt(each, "properties", property), value))
  const sameDomain = has("domain", domain)
  return sameDomain.length > 0 ? sameDomain : has("name", name)
}
