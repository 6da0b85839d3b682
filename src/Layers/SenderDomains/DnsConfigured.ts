import { Config, Effect, Option } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { Dns } from "../../Services/Outbound/Dns.ts"
import { providerLayer, settingsIfLive } from "../Platform/Outbound/ProviderLayer.ts"
import { makeLiveDns } from "./DnsLive.ts"
import { makeDnsSandbox } from "./sandbox/DnsSandbox.ts"

export const tryMillis = 3000

/** The real DNS if mail is really sent, unless `DNS_MODE` is set. */
export const dnsSettings = Effect.gen(function* () {
  const mode = yield* Config.option(Config.literal("live", "sandbox")("DNS_MODE"))
  const servers = yield* Config.option(Config.array(Config.nonEmptyString(), "DNS_SERVERS"))
  const smtpUrl = yield* Config.option(Config.redacted("SMTP_URL"))
  const usualMode: ServiceMode = Option.isSome(smtpUrl) ? "live" : "sandbox"
  return { mode: Option.getOrElse(mode, () => usualMode), servers }
})

export const DnsConfigured = providerLayer(Dns, {
  settings: settingsIfLive(dnsSettings),
  live: ({ servers }) =>
    Effect.succeed(makeLiveDns({ timeout: tryMillis, ...(Option.isSome(servers) ? { servers: servers.value } : {}) })),
  sandbox: makeDnsSandbox
})
