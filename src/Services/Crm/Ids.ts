import { Schema } from "effect"

/** The CRMs, by the names that tools take. */
export const CrmName = Schema.Literal(
  "ploomes",
  "crmsuite",
  "hubspot",
  "odoo",
  "omie",
  "pipedrive",
  "agendor",
  "piperun",
  "nectar",
  "moskit",
  "twenty"
)
export type CrmName = typeof CrmName.Type

export const isCrmName = Schema.is(CrmName)

export const CrmFieldId = Schema.Int.pipe(Schema.brand("CrmFieldId"))
export type CrmFieldId = typeof CrmFieldId.Type

/** What a lead becomes at a CRM. */
export type CrmKind = "company" | "person" | "deal"
