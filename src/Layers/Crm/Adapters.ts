import type { CrmName } from "../../Services/Crm/Ids.ts"
import { agendor } from "./Agendor.ts"
import { agendorSimulator } from "./AgendorSimulator.ts"
import type { CrmAdapter } from "./CrmAdapter.ts"
import type { CrmSimulator } from "./CrmSimulator.ts"
import { hubSpot } from "./HubSpot.ts"
import { hubSpotSimulator } from "./HubSpotSimulator.ts"
import { moskit } from "./Moskit.ts"
import { moskitSimulator } from "./MoskitSimulator.ts"
import { nectar } from "./Nectar.ts"
import { nectarSimulator } from "./NectarSimulator.ts"
import { odoo } from "./Odoo.ts"
import { odooSimulator } from "./OdooSimulator.ts"
import { omie } from "./Omie.ts"
import { omieSimulator } from "./OmieSimulator.ts"
import { pipedrive } from "./Pipedrive.ts"
import { pipedriveSimulator } from "./PipedriveSimulator.ts"
import { pipeRun } from "./PipeRun.ts"
import { pipeRunSimulator } from "./PipeRunSimulator.ts"
import { ploomes } from "./Ploomes.ts"
import { ploomesSimulator } from "./PloomesSimulator.ts"
import { rdStation } from "./RdStation.ts"
import { rdStationSimulator } from "./RdStationSimulator.ts"
import { twenty } from "./Twenty.ts"
import { twentySimulator } from "./TwentySimulator.ts"

/** The CRMs that leads can be sent to. */
export const adapters: ReadonlyMap<string, CrmAdapter> = new Map(
  [hubSpot, pipedrive, ploomes, rdStation, agendor, odoo, omie, pipeRun, nectar, moskit, twenty].map(
    (adapter): [CrmName, CrmAdapter] => [adapter.name, adapter]
  )
)

/** Each of them as the sandbox has it. */
export const simulators: ReadonlyMap<string, CrmSimulator> = new Map(
  [
    hubSpotSimulator,
    pipedriveSimulator,
    ploomesSimulator,
    rdStationSimulator,
    agendorSimulator,
    odooSimulator,
    omieSimulator,
    pipeRunSimulator,
    nectarSimulator,
    moskitSimulator,
    twentySimulator
  ].map((simulator): [CrmName, CrmSimulator] => [simulator.name, simulator])
)
