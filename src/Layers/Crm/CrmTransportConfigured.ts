import { Effect, Layer } from "effect"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { CrmSettings } from "./CrmSettings.ts"
import { CrmTransport } from "./CrmTransport.ts"
import { makeSimulatedCrm } from "./SandboxCrm.ts"

/** The network, or the simulated CRMs where the settings say so. */
export const CrmTransportConfigured = Layer.effect(
  CrmTransport,
  Effect.gen(function* () {
    const { mode } = yield* CrmSettings
    if (mode === "sandbox") return CrmTransport.of({ mode, ...(yield* makeSimulatedCrm) })
    const { request } = yield* OutboundHttp
    return CrmTransport.of({ mode, request: (_, outbound) => request(outbound) })
  })
)
