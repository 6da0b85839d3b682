import { Effect } from "effect"
import type { PersonalData } from "../Platform/PersonalData.ts"

/** Keeps the company that the person came from as a digest only, so that it is not acquired again. */
export const companiesPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId }) =>
    Effect.asVoid(sql`
      with known as materialized (
        select c.account_id, contact_digest(a.tombstone_key, 'company', c.source || ':' || c.company_key) as digest
        from acquired_company c join account a on a.account_id = c.account_id
        where c.account_id = ${accountId} and c.lead_id = ${leadId}
      )
      insert into released_company (account_id, company_digest) select account_id, digest from known
      on conflict do nothing`)
}
