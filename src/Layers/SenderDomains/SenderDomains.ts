import { Effect, Layer } from "effect"
import { Dns } from "../../Services/Outbound/Dns.ts"
import * as Room from "../Platform/Room.ts"
import { domainCommands } from "./Commands.ts"
import { DnsConfigured, dnsSettings } from "./DnsConfigured.ts"
import { domainRecurring, domainTasks } from "./DomainChecks.ts"
import { approvedSubdomainsMigration, senderDomainsMigration } from "./Migrations.ts"
import { senderDomainChecks } from "./SenderDomainChecks.ts"
import { mailHost, SenderDomainsPostgres } from "./SenderDomainsPostgres.ts"
import { SenderIdentityPostgres } from "./SenderIdentityPostgres.ts"
import { sandboxDnsEndpoint } from "./sandbox/DnsSandboxEndpoint.ts"

/** Domains from which mail to leads is sent, and whose keys sign it. */
export const SenderDomainsRoom = Room.make({
  migrations: [senderDomainsMigration, approvedSubdomainsMigration],
  layer: Layer.merge(SenderDomainsPostgres, SenderIdentityPostgres).pipe(Layer.provideMerge(DnsConfigured)),
  tasks: Effect.succeed(domainTasks),
  recurring: domainRecurring,
  endpoints: Effect.map(sandboxDnsEndpoint, (endpoint) => [endpoint]),
  modes: Effect.map(Dns, ({ mode }) => ({ dns: mode })),
  commands: domainCommands,
  settings: [dnsSettings, mailHost],
  checks: senderDomainChecks
})
