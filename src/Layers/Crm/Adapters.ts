import type { CrmName } from "../../Services/Crm/Ids.ts"
import { agendor } from "./Agendor.ts"
import { agendorSimulator } from "./AgendorSimulator.ts"
import type { CrmAdapter } from "./CrmAdapter.ts"
import type { CrmSimulator } from "./CrmSimulator.ts"
import { hubSpot } from "./HubSpot.ts"
import { hubSpotSimulator } from "./HubSpotSimulator.ts"
import { odoo } from "./Odoo.ts"
import { odooSimulator } from "./OdooSimulator.ts"
import { pipedrive } from "./Pipedrive.ts"
import { pipedriveSimulator } from "./PipedriveSimulator.ts"
import { ploomes } from "./Ploomes.ts"
import { ploomesSimulator } from "./PloomesSimulator.ts"
import { rdStation } from "./RdStation.ts"
import { rdStationSimulator } from "./RdStationSimulator.ts"

/** The CRMs that leads can be sent to. */
export const adapters: ReadonlyMap<string, CrmAdapter> = new Map(
  [hubSpot, pipedrive, ploomes, rdStation, agendor, odoo].map((adapter): [CrmName, CrmAdapter] => [
    adapter.name,
    adapter
  ])
)

/** Each of them as the sandbox has it. */
export const simulators: ReadonlyMap<string, CrmSimulator> = new Map(
  [hubSpotSimulator, pipedriveSimulator, ploomesSimulator, rdStationSimulator, agendorSimulator, odooSimulator].map(
    (simulator): [CrmName, CrmSimulator] => [simulator.name, simulator]
  )
)
