import type { Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import type { CrmRecord, NewCrmRecord } from "../../Calling/CrmAdapter.ts"
import { at, numberAt, ownFields, ownNamed, present, textAt } from "../../Calling/JsonPath.ts"

export const valuesOf = (kind: CrmKind, fields: Fields) => ({
  ...(kind === "deal"
    ? {
        ...(fields["title"] === undefined ? {} : { name: fields["title"] }),
        ...(fields["stage"] === undefined ? {} : { stage_id: Number(fields["stage"]) }),
        ...(fields["value"] === undefined ? {} : { expected_revenue: Number(fields["value"]) })
      }
    : {
        ...(fields["name"] === undefined ? {} : { name: fields["name"] }),
        ...(fields["email"] === undefined ? {} : { email: fields["email"] }),
        ...(fields["phone"] === undefined ? {} : { phone: fields["phone"] }),
        ...(fields["job_title"] === undefined ? {} : { function: fields["job_title"] }),
        ...(fields["domain"] === undefined ? {} : { website: fields["domain"] })
      }),
  ...ownFields(fields)
})

export const requestedFields: { readonly [K in CrmKind]: ReadonlyArray<string> } = {
  company: ["name", "website", "active"],
  person: ["name", "email", "phone", "function", "active"],
  deal: ["name", "stage_id", "active", "probability", "company_currency"]
}

/** The CRM writes its addresses with the scheme. */
const hostOf = (website: string): string => website.replace(/^https?:\/\//, "").replace(/\/$/, "")

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({ title: textAt(record, "name"), stage: textAt(record, "stage_id", 0) })
    : present({
        name: textAt(record, "name"),
        email: textAt(record, "email"),
        phone: textAt(record, "phone"),
        job_title: textAt(record, "function"),
        domain: hostOf(textAt(record, "website"))
      })

/**
 * Returns the state of a deal. A won deal has a probability of 100. A lost one is archived with a probability of 0. An
 * archived one with another probability is still open.
 */
export const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const probability = numberAt(record, "probability")
  if (probability === 100) return "won"
  return at(record, "active") === false && probability === 0 ? "lost" : "open"
}

export const recordOf = (kind: CrmKind, id: string, ownKeys: ReadonlyArray<string>, record: unknown): CrmRecord => ({
  id,
  fields: { ...fieldsOf(kind, record), ...ownNamed(ownKeys, (key) => textAt(record, key)) },
  ...(kind === "deal" ? { state: stateOf(record), currency: textAt(record, "company_currency", 1) } : {})
})

export const newRecord = (kind: CrmKind, { companyId, fields, ownerId, personId }: NewCrmRecord) => {
  const partner = personId ?? companyId
  const links =
    kind === "deal"
      ? { type: "opportunity", ...(partner === undefined ? {} : { partner_id: Number(partner) }) }
      : {
          is_company: kind === "company",
          ...(companyId === undefined ? {} : { parent_id: Number(companyId) })
        }
  return {
    ...valuesOf(kind, fields),
    ...links,
    ...(kind === "deal" && ownerId !== undefined ? { user_id: Number(ownerId) } : {})
  }
}
