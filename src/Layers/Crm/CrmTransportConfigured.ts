import { Effect, Layer } from "effect"
import { OutsideHealth } from "../../Services/Core/OutsideHealth.ts"
import type { CrmName } from "../../Services/Crm/Ids.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { watchedExchange } from "../Platform/Outbound/WatchedHttp.ts"
import { CrmSettings } from "./CrmSettings.ts"
import { CrmTransport } from "./CrmTransport.ts"
import { makeSimulatedCrm } from "./SandboxCrm.ts"

/** Where each account names the server, one that is away says nothing of the others'. */
const isOwnServer = (crmName: CrmName): boolean => crmName === "odoo"

/** The network, or the simulated CRMs where the settings say so. */
export const CrmTransportConfigured = Layer.effect(
  CrmTransport,
  Effect.gen(function* () {
    const { mode } = yield* CrmSettings
    if (mode === "sandbox") return CrmTransport.of({ mode, ...(yield* makeSimulatedCrm) })
    const { request } = yield* OutboundHttp
    const { watch } = yield* OutsideHealth
    return CrmTransport.of({
      mode,
      request: (crmName, outbound) =>
        isOwnServer(crmName)
          ? request(outbound)
          : Effect.flatMap(watch(`crm.${crmName}`), (connection) =>
              watchedExchange(connection, "account")(request(outbound))
            )
    })
  })
)
