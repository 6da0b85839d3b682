import type { CrmName } from "../../Services/Crm/Ids.ts"
import type { CrmAdapter } from "./CrmAdapter.ts"
import type { CrmSimulator } from "./CrmSimulator.ts"
import { hubSpot } from "./HubSpot.ts"
import { hubSpotSimulator } from "./HubSpotSimulator.ts"
import { pipedrive } from "./Pipedrive.ts"
import { pipedriveSimulator } from "./PipedriveSimulator.ts"

/** The CRMs that leads can be sent to. */
export const adapters: ReadonlyMap<string, CrmAdapter> = new Map(
  [hubSpot, pipedrive].map((adapter): [CrmName, CrmAdapter] => [adapter.name, adapter])
)

/** Each of them as the sandbox has it. */
export const simulators: ReadonlyMap<string, CrmSimulator> = new Map(
  [hubSpotSimulator, pipedriveSimulator].map((simulator): [CrmName, CrmSimulator] => [simulator.name, simulator])
)
