import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { DomainVerdict } from "./EmailCheck.ts"

/** Whether domains take mail; what name servers said is kept for some days. */
export class MailDomains extends Context.Tag("MailDomains")<
  MailDomains,
  {
    /** Of each domain; the list may repeat them. Never fails for what a name server does or does not say. */
    readonly verdicts: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, DomainVerdict>, Transient>
    /** Whether the addresses of a domain are for a few minutes' use. */
    readonly isDisposable: (domain: string) => boolean
  }
>() {}
