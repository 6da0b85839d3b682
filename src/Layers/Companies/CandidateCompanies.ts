import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { backgroundOf, contactOf } from "../../Services/Companies/Acquisition.ts"
import type { Company } from "../../Services/Companies/Company.ts"
import type { DirectoryFacts } from "../../Services/Companies/CompanyDirectory.ts"
import { type DomainVerdict, type EmailProblem, problemOfAddress } from "../../Services/Companies/EmailCheck.ts"
import { MailDomains } from "../../Services/Companies/MailDomains.ts"
import { type AcquiredLead, AcquiredLeads } from "../../Services/Leads/AcquiredLeads.ts"
import { cnaeEntries } from "../../Services/Reference/Cnae.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import type { Track } from "./GenerationTracks.ts"

/** A company, with the verdict on its e-mail address. */
export interface Candidate {
  readonly company: Company
  readonly verdict: DomainVerdict | undefined
  readonly problem: EmailProblem | undefined
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)

const activityOf = (company: Company): string | null =>
  company.cnae === null ? null : (cnaeEntries.get(company.cnae)?.name ?? null)

/** The lead that a company becomes. Undefined if it cannot be reached. */
export const leadOf = ({ company, problem }: Candidate): AcquiredLead | undefined => {
  const contact = contactOf(company, problem)
  if (contact === undefined) return undefined
  const activity = activityOf(company)
  const { cnae, city, country, state, website } = company
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    company: contact.company,
    website,
    city,
    state,
    country,
    cnae,
    industry: activity,
    background: backgroundOf(company, activity)
  }
}

/** Checks companies' addresses, and registers companies as leads. */
export const makeCandidateCompanies = Effect.gen(function* () {
  const sql = yield* SqlClient
  const domains = yield* MailDomains
  const leads = yield* AcquiredLeads

  /** Checks the companies' addresses. Companies that the account acquired before are skipped. */
  const judge = Effect.fnUntraced(function* (
    accountId: AccountId,
    companies: ReadonlyArray<Company>,
    { source }: DirectoryFacts
  ) {
    const keys = [...new Set(companies.map(({ companyKey }) => companyKey))]
    const takenRows = yield* sql<{ readonly key: string }>`
      select w.key from account a cross join unnest(${keys}::text[]) as w (key)
      where a.account_id = ${accountId} and (
        exists (select from acquired_company c where c.account_id = ${accountId} and c.source = ${source}
          and c.company_key = w.key)
        or exists (select from released_company r where r.account_id = ${accountId}
          and r.company_digest = contact_digest(a.tombstone_key, 'company', ${source} || ':' || w.key)))`.pipe(
      fromSql()
    )
    const knownKeys = new Set(takenRows.map(({ key }) => key))
    const newCompanies = companies.filter(({ companyKey }) => !knownKeys.has(companyKey))
    const candidates = newCompanies.map((company) => ({
      company,
      problem: company.email === null ? undefined : problemOfAddress(company.email, domains.isDisposable)
    }))
    const verdicts = yield* domains.verdicts(
      candidates.flatMap(({ company, problem }) =>
        company.email === null || problem !== undefined ? [] : [domainOf(company.email)]
      )
    )
    return candidates.map(({ company, problem }): Candidate => {
      const verdict =
        company.email === null || problem !== undefined
          ? undefined
          : (verdicts.get(domainOf(company.email)) ?? "unknown")
      return {
        company,
        verdict,
        problem: problem ?? (verdict === "no_such_domain" || verdict === "domain_takes_no_mail" ? verdict : undefined)
      }
    })
  })

  /** Registers candidates, and stores which companies became leads. Returns how many. */
  const take = Effect.fnUntraced(function* (
    accountId: AccountId,
    campaignId: Track["campaignId"],
    candidates: ReadonlyArray<Candidate>,
    { source }: DirectoryFacts
  ) {
    // A company's places of business are adjacent.
    const seenKeys = new Set<string>()
    const distinctCandidates = candidates.flatMap((candidate) => {
      const lead = seenKeys.has(candidate.company.companyKey) ? undefined : leadOf(candidate)
      if (lead !== undefined) seenKeys.add(candidate.company.companyKey)
      return lead === undefined ? [] : [{ key: candidate.company.companyKey, lead }]
    })
    const outcomes = yield* leads.register(
      distinctCandidates.map(({ lead }) => lead),
      campaignId
    )
    const created = outcomes.flatMap((outcome, index) =>
      outcome._tag === "Created" ? [{ key: distinctCandidates[index]?.key ?? "", leadId: outcome.leadId }] : []
    )
    if (created.length > 0) {
      yield* sql`
        insert into acquired_company (account_id, source, company_key, lead_id)
        select ${accountId}, ${source}, c.key, c.lead_id from unnest(
          ${created.map(({ key }) => key)}::text[], ${created.map(({ leadId }) => leadId)}::bigint[]
        ) as c (key, lead_id)`.pipe(fromSql())
    }
    return created.length
  })

  return { judge, take }
})
