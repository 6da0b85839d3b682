import { agendor } from "./Agendor/Agendor.ts"
import { agendorSimulator } from "./Agendor/AgendorSimulator.ts"
import type { CrmAdapter } from "./CrmAdapter.ts"
import type { CrmSimulator } from "./CrmSimulator.ts"
import { hubSpot } from "./HubSpot/HubSpot.ts"
import { hubSpotSimulator } from "./HubSpot/HubSpotSimulator.ts"
import { moskit } from "./Moskit/Moskit.ts"
import { moskitSimulator } from "./Moskit/MoskitSimulator.ts"
import { nectar } from "./Nectar/Nectar.ts"
import { nectarSimulator } from "./Nectar/NectarSimulator.ts"
import { odoo } from "./Odoo/Odoo.ts"
import { odooSimulator } from "./Odoo/OdooSimulator.ts"
import { omie } from "./Omie/Omie.ts"
import { omieSimulator } from "./Omie/OmieSimulator.ts"
import { pipedrive } from "./Pipedrive/Pipedrive.ts"
import { pipedriveSimulator } from "./Pipedrive/PipedriveSimulator.ts"
import { pipeRun } from "./PipeRun/PipeRun.ts"
import { pipeRunSimulator } from "./PipeRun/PipeRunSimulator.ts"
import { ploomes } from "./Ploomes/Ploomes.ts"
import { ploomesSimulator } from "./Ploomes/PloomesSimulator.ts"
import { rdStation } from "./RdStation/RdStation.ts"
import { rdStationSimulator } from "./RdStation/RdStationSimulator.ts"
import { twenty } from "./Twenty/Twenty.ts"
import { twentySimulator } from "./Twenty/TwentySimulator.ts"

/** Each CRM that leads can be sent to: how it is reached, and as the sandbox has it. */
const crms: ReadonlyArray<readonly [CrmAdapter, CrmSimulator]> = [
  [hubSpot, hubSpotSimulator],
  [pipedrive, pipedriveSimulator],
  [ploomes, ploomesSimulator],
  [rdStation, rdStationSimulator],
  [agendor, agendorSimulator],
  [odoo, odooSimulator],
  [omie, omieSimulator],
  [pipeRun, pipeRunSimulator],
  [nectar, nectarSimulator],
  [moskit, moskitSimulator],
  [twenty, twentySimulator]
]

export const adapters: ReadonlyMap<string, CrmAdapter> = new Map(crms.map(([adapter]) => [adapter.name, adapter]))

export const simulators: ReadonlyMap<string, CrmSimulator> = new Map(
  crms.map(([adapter, simulator]) => [adapter.name, simulator])
)
