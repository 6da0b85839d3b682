import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { CompanyDirectoryLive } from "../../src/Layers/Companies/CompanyDirectoryLive.ts"
import { LeadGenerationPostgres } from "../../src/Layers/Companies/LeadGenerationPostgres.ts"
import { companiesPersonalData } from "../../src/Layers/Companies/PersonalData.ts"
import { AcquiredLeadsPostgres } from "../../src/Layers/Leads/Registration/AcquiredLeadsPostgres.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { MailDomains } from "../../src/Services/Companies/MailDomains.ts"
import { leadLayers } from "../support/leads/LeadLayers.ts"

/**
 * Domains whose first letters say what their name servers answer: `gone`, `nomail`, `silent`. All others take mail.
 */
export const NamedDomains = Layer.succeed(MailDomains, {
  verdicts: (domains) =>
    Effect.succeed(
      new Map(
        domains.map((domain) => [
          domain,
          domain.startsWith("gone")
            ? ("no_such_domain" as const)
            : domain.startsWith("nomail")
              ? ("domain_takes_no_mail" as const)
              : domain.startsWith("silent")
                ? ("unknown" as const)
                : ("takes_mail" as const)
        ])
      )
    ),
  isDisposable: (domain) => domain.startsWith("throwaway")
})

/** Acquisition with the services that it needs, on a database. */
export const companyLayers = LeadGenerationPostgres.pipe(
  Layer.provideMerge(Layer.mergeAll(CompanyDirectoryLive, NamedDomains)),
  Layer.provideMerge(Layer.mergeAll(ProspectingConfigPostgres, AcquiredLeadsPostgres, AccountsPostgres)),
  Layer.provideMerge(leadLayers([companiesPersonalData]))
)
