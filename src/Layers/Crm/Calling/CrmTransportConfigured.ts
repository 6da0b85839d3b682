import { Effect } from "effect"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { providerLayer, settingsIfLive } from "../../Platform/Outbound/ProviderLayer.ts"
import { watchedExchange } from "../../Platform/Outbound/WatchedHttp.ts"
import { CrmSettings } from "../CrmSettings.ts"
import { makeCrmSandboxTransport } from "../sandbox/CrmSandboxTransport.ts"
import { CrmTransport } from "./CrmTransport.ts"

/** True if each account names its own server. A failing server then says nothing about the others. */
const isOwnServer = (crmName: CrmName): boolean => crmName === "odoo"

const network = Effect.gen(function* () {
  const { request } = yield* OutboundHttp
  const { watch } = yield* OutsideHealth
  return CrmTransport.of({
    mode: "live",
    request: (crmName, outbound) =>
      isOwnServer(crmName)
        ? request(outbound)
        : Effect.flatMap(watch(`crm.${crmName}`), (connection) =>
            watchedExchange(connection, "account")(request(outbound))
          )
  })
})

/** Provides the network or the simulated CRMs, by the settings. */
export const CrmTransportConfigured = providerLayer(CrmTransport, {
  settings: settingsIfLive(CrmSettings),
  live: () => network,
  sandbox: Effect.map(makeCrmSandboxTransport, (crm) => CrmTransport.of({ mode: "sandbox", ...crm }))
})
