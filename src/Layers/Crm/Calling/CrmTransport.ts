import { Context, type Effect } from "effect"
import type { Refused } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../../Services/Core/Outside/IntegrationModes.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

/** Access to CRMs: the network, or simulated CRMs with records in the database. */
export class CrmTransport extends Context.Tag("CrmTransport")<
  CrmTransport,
  {
    readonly mode: ServiceMode
    readonly request: (
      crmName: CrmName,
      request: OutboundRequest
    ) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  }
>() {}
