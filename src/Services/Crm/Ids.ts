import { Schema } from "effect"

/** The supported CRMs, by the names that the tools accept. */
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

/** The kind of record that a lead becomes at a CRM. */
export type CrmKind = "company" | "person" | "deal"
