import { Context, type Effect, type Redacted } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type {
  ConnectedCrm,
  CrmCustomField,
  CrmIntegrationList,
  CrmLeadSource,
  CrmSyncStatus,
  DisconnectedCrm,
  ResyncStarted
} from "./CrmModel.ts"
import type { MinimumStatus } from "./CrmRules.ts"
import type { CrmFieldId, CrmName } from "./Ids.ts"

export const credentialNames = [
  "api_key",
  "api_token",
  "access_token",
  "url",
  "database",
  "username",
  "app_key",
  "app_secret",
  "marketing_api_key",
  "crm_token"
] as const
export type CredentialName = (typeof credentialNames)[number]

export interface NewCrm {
  readonly crmName: CrmName
  /** The credentials that the account entered. */
  readonly credentials: ReadonlyMap<CredentialName, Redacted.Redacted>
  readonly pipelineId: number | undefined
  readonly funnelId: number | undefined
}

/** The kind of the background job that sends leads again. */
export const resyncJob = "crm_resync"

/** The CRMs of accounts. An account may connect several, and they are independent of each other. */
export class Crm extends Context.Tag("Crm")<
  Crm,
  {
    /** Checks the credentials with the CRM, and stores them only if they are accepted. Opens its own transactions. */
    readonly connect: (crm: NewCrm) => Effect.Effect<ConnectedCrm, Refused | Transient, Caller>
    /** Starts importing the CRM's contacts as leads, after a request to the CRM. Opens its own transactions. */
    readonly enableSource: (
      crmName: CrmName,
      scope: { readonly pipelineId: string | undefined; readonly stageId: string | undefined }
    ) => Effect.Effect<CrmLeadSource, Refused | Transient, Caller>
    /** Whether the CRM's contacts are imported as leads, which ones, and with what result. */
    readonly source: (crmName: CrmName) => Effect.Effect<CrmLeadSource, Transient, Caller>
    readonly disableSource: (crmName: CrmName) => Effect.Effect<CrmLeadSource, Transient, Caller>
    readonly disconnect: (crmName: CrmName) => Effect.Effect<DisconnectedCrm, Transient, Caller>
    readonly list: Effect.Effect<CrmIntegrationList, Transient, Caller>
    readonly status: Effect.Effect<ReadonlyArray<CrmSyncStatus>, Transient, Caller>
    readonly setMinimumStatus: (status: MinimumStatus | undefined) => Effect.Effect<void, Transient, Caller>
    /** Call it in a transaction. */
    readonly resync: Effect.Effect<ResyncStarted, Refused | Transient, Caller>
    readonly fields: Effect.Effect<ReadonlyArray<CrmCustomField>, Transient, Caller>
    readonly addField: (name: string, value: string) => Effect.Effect<CrmCustomField, Refused | Transient, Caller>
    readonly removeField: (id: CrmFieldId) => Effect.Effect<void, NotFound | Transient, Caller>
  }
>() {}
