import { Effect, Redacted, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { type CredentialName, Crm, credentialNames, resyncJob } from "../../Services/Crm/Crm.ts"
import {
  ConnectedCrm,
  CrmCustomField,
  CrmIntegrationList,
  CrmLeadSource,
  CrmSyncStatus,
  DisconnectedCrm,
  MinimumStatusView,
  ResyncStarted
} from "../../Services/Crm/CrmModel.ts"
import { minimumStatuses, placeholders } from "../../Services/Crm/CrmRules.ts"
import { CrmFieldId, CrmName, isCrmName } from "../../Services/Crm/Ids.ts"
import { LeadSource, LeadSourceView } from "../../Services/LeadSource/LeadSource.ts"
import { isSingleLine } from "../../Services/Text/SingleLine.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { manageCrmsuiteCrmLeadSource, manageLeadsourceIntegration } from "./LeadSources.ts"
import { missing, stray } from "./Parameters.ts"

const crmName = Param.text(`The CRM: ${CrmName.literals.join(", ")}.`, { maxLength: 100 })

const crmNamed = (given: string) => {
  const name = given.trim().toLowerCase()
  return isCrmName(name)
    ? Effect.succeed(name)
    : refused("crm_unknown", "There is no CRM of this name.", "Send one of accepted_values.", {
        parameter: "crm_name",
        accepted_values: [...CrmName.literals]
      })
}

const credential = (description: string) => Param.optional(Param.text(description, { maxLength: 2000 }))

/** Returns the credentials that are not blank. Forms send blanks for fields that were not filled in. */
const givenCredentials = (args: { readonly [K in CredentialName]: string | undefined }) =>
  new Map(
    credentialNames.flatMap((name) => {
      const value = args[name]?.trim() ?? ""
      return value === "" ? [] : [[name, Redacted.make(value)] as const]
    })
  )

const connectCrm = Tool.make("connect_crm", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  requiresPaidPlan: true,
  description:
    "Connects a CRM, to which leads go from then on as company, person and deal; won and lost deals come back as outcomes. The credentials are checked with the CRM first, and nothing is stored where it does not take them. The same account at the CRM keeps the leads that are there; another one begins anew. list_crm_integrations names the credentials of each CRM. Leads from before are sent by resync_crm_leads.",
  parameters: {
    crm_name: crmName,
    api_key: credential("The API key, for CRMs that have one."),
    api_token: credential("The API token, for CRMs that have one."),
    access_token: credential("The access token of a private app."),
    url: credential("The address of the CRM, where it is the account's own."),
    database: credential("The database's name."),
    username: credential("The user's login."),
    app_key: credential("The application's key."),
    app_secret: credential("The application's secret."),
    marketing_api_key: credential("The marketing suite's key, which can only be written to."),
    crm_token: credential("The suite's CRM token."),
    pipeline_id: Param.optional(
      Param.integer("The pipeline that deals are made in, for CRMs that take one.", { minimum: 1 })
    ),
    funnel_id: Param.optional(
      Param.integer("The funnel that deals are made in, for CRMs that take one.", { minimum: 1 })
    )
  },
  returns: ConnectedCrm,
  errors: {
    Refused: [
      "credential_missing",
      "credential_not_taken",
      "crm_check_failed",
      "crm_credentials_refused",
      "crm_unknown",
      "pipeline_not_found",
      "pipeline_not_taken",
      "sandbox_key_expected",
      "url_not_allowed"
    ],
    Transient: ["crm_unavailable"]
  },
  transaction: "several",
  example: { crm_name: "pipedrive", api_token: "sandbox-example" },
  run: Effect.fnUntraced(function* ({ crm_name, funnel_id, pipeline_id, ...credentials }) {
    const crm = yield* Crm
    return yield* crm.connect({
      crmName: yield* crmNamed(crm_name),
      credentials: givenCredentials(credentials),
      pipelineId: pipeline_id,
      funnelId: funnel_id
    })
  })
})

const disconnectCrm = Tool.make("disconnect_crm", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Disconnects a CRM and forgets its credentials: nothing is sent to it any more and nothing is heard of it. What is there stays there, and is found again when the same account at the CRM is connected once more.",
  parameters: { crm_name: crmName },
  returns: DisconnectedCrm,
  errors: { Refused: ["crm_unknown"] },
  example: { crm_name: "pipedrive" },
  run: Tool.via(Crm, (crm, { crm_name }) => Effect.flatMap(crmNamed(crm_name), crm.disconnect))
})

const listCrmIntegrations = Tool.make("list_crm_integrations", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the CRMs that can be connected, each with its state, the credentials that it takes and what there is to warn of; and for all of them the lowest lead status that is sent and the custom fields. Shows also where leads come from by themselves: the lead database and the contacts of the CRM suite.",
  parameters: {},
  returns: Schema.Struct({
    ...CrmIntegrationList.fields,
    lead_sources: Schema.Struct({
      leadsource: LeadSourceView.annotations({ description: "The lead database." }),
      crmsuite_crm: CrmLeadSource.annotations({ description: "Contacts of the CRM suite that become leads." })
    })
  }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const [crm, source] = [yield* Crm, yield* LeadSource]
    const lead_sources = { leadsource: yield* source.state, crmsuite_crm: yield* crm.source("crmsuite") }
    return { ...(yield* crm.list), lead_sources }
  })
})

const getCrmSyncStatus = Tool.make("get_crm_sync_status", {
  kind: "read",
  openWorld: false,
  description:
    "Tells for each connected CRM how many leads are there, wait or are stuck, why they are stuck with examples and what to do, when it was last written to, which leads were sent last, and until when its limit is used up.",
  parameters: {},
  returns: Schema.Struct({ crms: Schema.Array(CrmSyncStatus) }),
  example: {},
  run: () =>
    Effect.map(
      Effect.flatMap(Crm, (crm) => crm.status),
      (crms) => ({ crms })
    )
})

const resyncCrmLeads = Tool.make("resync_crm_leads", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  runsInBackground: true,
  description:
    "Queues all leads that may be sent to the connected CRMs and are not there yet, those that were stuck among them; leads that are there are never sent again. Runs as a background job and sends within minutes, as fast as each CRM allows. A resync that runs already is answered instead of a second one.",
  parameters: {},
  returns: ResyncStarted,
  errors: { Refused: ["too_many_jobs"] },
  example: {},
  run: () => Effect.flatMap(Crm, (crm) => crm.resync)
})

const updateCrmMinimumStatus = Tool.make("update_crm_minimum_status", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets the lowest status with which leads are sent to CRMs, from Pending up to Interested (Closed stands above); without a status all leads are. Frozen, unqualified, rejected and gatekeeper leads are sent only without one. Leads that are at a CRM already are kept up to date in any case.",
  parameters: {
    status: Param.optional(Param.oneOf(minimumStatuses, "The lowest status; left out, every lead is sent."))
  },
  returns: Schema.Struct({ minimum_status: MinimumStatusView }),
  example: { status: "Confirmed" },
  run: Effect.fnUntraced(function* ({ status }) {
    const crm = yield* Crm
    yield* crm.setMinimumStatus(status)
    return { minimum_status: status ?? null }
  })
})

const severalLines = refused(
  "control_characters",
  "field_name has a line break or another control character.",
  "Send it as one line of text.",
  { parameter: "field_name" }
)

const manageCrmCustomFields = Tool.make("manage_crm_custom_fields", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: `Lists, adds or removes the custom fields that go to the CRMs with every lead: the field's label or key at the CRM, and a value, in which ${placeholders.join(", ")} stand for the lead's own. A field that a CRM does not have, or of another type, goes into the deal's note there, and list_crm_integrations warns of it. Every action answers the fields as they are then.`,
  parameters: {
    action: Param.oneOf(["list", "add", "remove"], "What to do."),
    field_name: Param.optional(Param.text("Needed for add: the field's label or key.", { maxLength: 200 })),
    field_value: Param.optional(Param.text("Needed for add: what goes into it.", { maxLength: 2000 })),
    field_id: Param.optional(Param.id(CrmFieldId, "Needed for remove: the field, as list answers it."))
  },
  returns: Schema.Struct({ custom_fields: Schema.Array(CrmCustomField) }),
  errors: {
    NotFound: ["custom_field_not_found"],
    Refused: ["control_characters", "parameter_missing", "parameter_not_taken", "too_many_custom_fields"]
  },
  example: { action: "add", field_name: "Origem", field_value: "Prospecção {campaign}" },
  run: Effect.fnUntraced(function* ({ action, field_id, field_name, field_value }) {
    const crm = yield* Crm
    if (action !== "remove" && field_id !== undefined) return yield* stray("field_id", action)
    if (action === "add") {
      const name = field_name?.trim() ?? ""
      const value = field_value?.trim() ?? ""
      if (name === "") return yield* missing("field_name", action)
      if (value === "") return yield* missing("field_value", action)
      if (!isSingleLine(name)) return yield* severalLines
      yield* crm.addField(name, value)
    }
    if (action === "remove") {
      if (field_id === undefined) return yield* missing("field_id", action)
      yield* crm.removeField(field_id)
    }
    return { custom_fields: yield* crm.fields }
  })
})

export const CrmIntegrationsGroup = Tool.group(
  "CRM integrations",
  "CRMs that leads are sent to and that tell which deals were won and lost.",
  [
    listCrmIntegrations,
    connectCrm,
    disconnectCrm,
    getCrmSyncStatus,
    resyncCrmLeads,
    updateCrmMinimumStatus,
    manageCrmCustomFields,
    manageCrmsuiteCrmLeadSource,
    manageLeadsourceIntegration
  ],
  [resyncJob]
)
