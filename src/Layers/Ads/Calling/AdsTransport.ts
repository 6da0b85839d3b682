import { Context, type Effect } from "effect"
import type { Refused } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
import type { ServiceMode } from "../../../Services/Core/IntegrationModes.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

/** The way to the ads platform: the network, or a simulator that keeps its accounts in the database. */
export class AdsTransport extends Context.Tag("AdsTransport")<
  AdsTransport,
  {
    readonly mode: ServiceMode
    /** The manager account's number. */
    readonly managerId: string
    /** Sends the request with the operator's access; `isFresh` takes a new one, where the platform refused the last. */
    readonly request: (
      request: OutboundRequest,
      isFresh: boolean
    ) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  }
>() {}
