import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { DomainVerdict } from "./EmailCheck.ts"

/** Whether domains receive mail. Verdicts are cached for some days. */
export class MailDomains extends Context.Tag("MailDomains")<
  MailDomains,
  {
    /** The verdict on each domain. Duplicates are allowed. A failing name server gives `unknown`, not an error. */
    readonly verdicts: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, DomainVerdict>, Transient>
    /** Whether the domain offers disposable addresses. */
    readonly isDisposable: (domain: string) => boolean
  }
>() {}
