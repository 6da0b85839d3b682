import type { CrmName } from "../../../Services/Crm/Ids.ts"
import type { CrmAdapter } from "../Calling/CrmAdapter.ts"
import { agendorSandbox } from "../sandbox/AgendorSandbox.ts"
import type { CrmSandbox } from "../sandbox/CrmSandbox.ts"
import { hubSpotSandbox } from "../sandbox/HubSpotSandbox.ts"
import { moskitSandbox } from "../sandbox/MoskitSandbox.ts"
import { nectarSandbox } from "../sandbox/NectarSandbox.ts"
import { odooSandbox } from "../sandbox/OdooSandbox.ts"
import { omieSandbox } from "../sandbox/OmieSandbox.ts"
import { pipedriveSandbox } from "../sandbox/PipedriveSandbox.ts"
import { pipeRunSandbox } from "../sandbox/PipeRunSandbox.ts"
import { ploomesSandbox } from "../sandbox/PloomesSandbox.ts"
import { rdStationSandbox } from "../sandbox/RdStationSandbox.ts"
import { twentySandbox } from "../sandbox/TwentySandbox.ts"
import { agendor } from "./Agendor/Agendor.ts"
import { hubSpot } from "./HubSpot/HubSpot.ts"
import { moskit } from "./Moskit/Moskit.ts"
import { nectar } from "./Nectar/Nectar.ts"
import { odoo } from "./Odoo/Odoo.ts"
import { omie } from "./Omie/Omie.ts"
import { pipedrive } from "./Pipedrive/Pipedrive.ts"
import { pipeRun } from "./PipeRun/PipeRun.ts"
import { ploomes } from "./Ploomes/Ploomes.ts"
import { rdStation } from "./RdStation/RdStation.ts"
import { twenty } from "./Twenty/Twenty.ts"

export const adapters: Readonly<Record<CrmName, CrmAdapter>> = {
  hubspot: hubSpot,
  pipedrive,
  ploomes,
  crmsuite: rdStation,
  agendor,
  odoo,
  omie,
  piperun: pipeRun,
  nectar,
  moskit,
  twenty
}

export const sandboxes: Readonly<Record<CrmName, CrmSandbox>> = {
  hubspot: hubSpotSandbox,
  pipedrive: pipedriveSandbox,
  ploomes: ploomesSandbox,
  crmsuite: rdStationSandbox,
  agendor: agendorSandbox,
  odoo: odooSandbox,
  omie: omieSandbox,
  piperun: pipeRunSandbox,
  nectar: nectarSandbox,
  moskit: moskitSandbox,
  twenty: twentySandbox
}
