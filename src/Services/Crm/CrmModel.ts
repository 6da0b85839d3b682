import { Schema } from "effect"
import { ConnectionState } from "../Connections/Ids.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { JobId } from "../Jobs/Ids.ts"
import { LeadId } from "../Leads/Ids.ts"
import { minimumStatuses } from "./CrmRules.ts"
import { CrmFieldId, CrmName } from "./Ids.ts"

export const CrmCustomField = Schema.Struct({
  field_id: CrmFieldId,
  field_name: Schema.String.annotations({ description: "The field's label or key at the CRM." }),
  field_value: Schema.String
})
export type CrmCustomField = typeof CrmCustomField.Type

export const MinimumStatusView = Schema.NullOr(Schema.Literal(...minimumStatuses)).annotations({
  description: "Leads below it are not sent; null: all are."
})

export const CrmWarning = Schema.Struct({
  reason: Schema.String,
  field_name: Schema.String,
  detail: Schema.String
})
export type CrmWarning = typeof CrmWarning.Type

export const CrmIntegration = Schema.Struct({
  crm_name: CrmName,
  status: ConnectionState,
  credentials: Schema.Array(Schema.String).annotations({ description: "What connect_crm takes for it." }),
  mode: ServiceMode,
  verified: Schema.Boolean.annotations({ description: "Whether the CRM confirmed the credentials." }),
  connected_at: Schema.NullOr(Timestamp),
  last_checked_at: Schema.NullOr(Timestamp),
  last_error: Schema.NullOr(Schema.String).annotations({
    description: "A code in snake_case; null while all is well."
  }),
  pipeline_id: Schema.NullOr(Schema.String).annotations({
    description: "Where deals are made; null: the CRM's first."
  }),
  warnings: Schema.Array(CrmWarning)
})
export type CrmIntegration = typeof CrmIntegration.Type

export const CrmIntegrationList = Schema.Struct({
  integrations: Schema.Array(CrmIntegration),
  minimum_status: MinimumStatusView,
  custom_fields: Schema.Array(CrmCustomField)
})
export type CrmIntegrationList = typeof CrmIntegrationList.Type

export const ConnectedCrm = Schema.Struct({
  crm_name: CrmName,
  status: ConnectionState,
  mode: ServiceMode,
  verified: Schema.Boolean.annotations({
    description: "False where the CRM's interface can only be written to, so that nothing could be checked."
  }),
  keeps_links: Schema.Boolean.annotations({
    description: "Whether it is the account at the CRM that was connected before: leads that are there stay linked."
  })
})
export type ConnectedCrm = typeof ConnectedCrm.Type

export const DisconnectedCrm = Schema.Struct({
  crm_name: CrmName,
  status: ConnectionState,
  changed: Schema.Boolean.annotations({ description: "False where it was not connected." })
})
export type DisconnectedCrm = typeof DisconnectedCrm.Type

export const StuckReason = Schema.Struct({
  reason: Schema.String,
  count: Schema.Int,
  detail: Schema.String.annotations({ description: "What to do about it." }),
  examples: Schema.Array(Schema.Struct({ lead_id: LeadId, lead_name: Schema.String }))
})
export type StuckReason = typeof StuckReason.Type

export const CrmSyncStatus = Schema.Struct({
  crm_name: CrmName,
  status: ConnectionState,
  mode: ServiceMode,
  synced_count: Schema.Int.annotations({ description: "Leads that are at the CRM as they stand here." }),
  pending_count: Schema.Int.annotations({ description: "Leads that wait to be sent." }),
  stuck_count: Schema.Int.annotations({ description: "Leads that could not be sent, and wait for their cause to go." }),
  stuck_reasons: Schema.Array(StuckReason),
  last_sync_at: Schema.NullOr(Timestamp),
  last_error: Schema.NullOr(Schema.String).annotations({
    description:
      "Why the last turn ended early, a code in snake_case; internal_error is the platform's; null while all is well."
  }),
  resumes_at: Schema.NullOr(Timestamp).annotations({
    description: "When the next calls are made, where the CRM's limit is used up or the last turn failed."
  }),
  source_warning: Schema.NullOr(Schema.String).annotations({
    description: "Why contacts of the CRM may be missing among the leads; null while none are, or nothing is read."
  }),
  recently_synced: Schema.Array(Schema.String).annotations({ description: "Names of the leads sent last." })
})
export type CrmSyncStatus = typeof CrmSyncStatus.Type

export const ResyncStarted = Schema.Struct({
  job_id: Schema.NullOr(JobId).annotations({ description: "Null where no CRM is connected." }),
  eligible_count: Schema.Int.annotations({
    description: "Leads that were not sent yet and may be, summed over the connected CRMs."
  }),
  is_already_running: Schema.Boolean
})
export type ResyncStarted = typeof ResyncStarted.Type

export const CrmLeadSource = Schema.Struct({
  crm_name: CrmName,
  status: Schema.Literal("enabled", "disabled"),
  mode: ServiceMode,
  pipeline_id: Schema.NullOr(Schema.String).annotations({
    description: "Contacts linked to deals in it become leads; null: all contacts."
  }),
  deal_stage_id: Schema.NullOr(Schema.String).annotations({
    description: "The one stage whose deals count; null: all of the pipeline."
  }),
  created_count: Schema.Int.annotations({ description: "Contacts that became leads so far." }),
  passed_count: Schema.Int.annotations({
    description:
      "Contacts that did not: leads already, on the blacklist, erased, or without an e-mail or phone that can be used."
  }),
  warning: Schema.NullOr(Schema.String).annotations({
    description:
      "date_filter_ignored: the CRM does not heed dates, so its list was read page by page, and it shows the first 10 000 only."
  }),
  last_read_at: Schema.NullOr(Timestamp).annotations({ description: "Null until the contacts were read to their end." })
})
export type CrmLeadSource = typeof CrmLeadSource.Type
