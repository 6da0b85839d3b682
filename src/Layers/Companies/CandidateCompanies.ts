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

/** A company with what is known of its address. */
export interface Candidate {
  readonly company: Company
  readonly verdict: DomainVerdict | undefined
  readonly problem: EmailProblem | undefined
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)

const activityOf = (company: Company): string | null =>
  company.cnae === null ? null : (cnaeEntries.get(company.cnae)?.name ?? null)

/** The lead that a company becomes, where it can be reached at all. */
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

/** Companies on their way to be leads: what is known of them, and taking them. */
export const makeCandidateCompanies = Effect.gen(function* () {
  const sql = yield* SqlClient
  const domains = yield* MailDomains
  const leads = yield* AcquiredLeads

  /** What is known of the companies' addresses; companies that the account has, or had, are left out. */
  const judge = Effect.fnUntraced(function* (
    accountId: AccountId,
    companies: ReadonlyArray<Company>,
    { source }: DirectoryFacts
  ) {
    const keys = [...new Set(companies.map(({ companyKey }) => companyKey))]
    const taken = yield* sql<{ readonly key: string }>`
      select w.key from account a cross join unnest(${keys}::text[]) as w (key)
      where a.account_id = ${accountId} and (
        exists (select from acquired_company c where c.account_id = ${accountId} and c.source = ${source}
          and c.company_key = w.key)
        or exists (select from released_company r where r.account_id = ${accountId}
          and r.company_digest = contact_digest(a.tombstone_key, 'company', ${source} || ':' || w.key)))`.pipe(
      fromSql()
    )
    const known = new Set(taken.map(({ key }) => key))
    const fresh = companies.filter(({ companyKey }) => !known.has(companyKey))
    const candidates = fresh.map((company) => ({
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

  /** Registers candidates and writes down which companies became leads; answers how many. */
  const take = Effect.fnUntraced(function* (
    accountId: AccountId,
    campaignId: Track["campaignId"],
    candidates: ReadonlyArray<Candidate>,
    { source }: DirectoryFacts
  ) {
    // Places of business of one company follow each other.
    const seen = new Set<string>()
    const wanted = candidates.flatMap((candidate) => {
      const lead = seen.has(candidate.company.companyKey) ? undefined : leadOf(candidate)
      if (lead !== undefined) seen.add(candidate.company.companyKey)
      return lead === undefined ? [] : [{ key: candidate.company.companyKey, lead }]
    })
    const outcomes = yield* leads.register(
      wanted.map(({ lead }) => lead),
      campaignId
    )
    const created = outcomes.flatMap((outcome, index) =>
      outcome._tag === "Created" ? [{ key: wanted[index]?.key ?? "", leadId: outcome.leadId }] : []
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
