import type { PersonalData } from "../Platform/PersonalData.ts"

/** Deletes simulations that name or imitate the person, because they are useless without the name. */
export const simulationPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns: { json, person } }) => sql`
    delete from simulation_lead s where s.account_id = ${accountId}
      and (s.profile::text ~* ${json} or s.state::text ~* ${json} or s.silent_reason ~* ${person}
        or exists (select from simulation_message m where m.account_id = ${accountId}
          and m.simulation_lead_id = s.simulation_lead_id and (m.body ~* ${person} or m.subject ~* ${person}
            or m.reading::text ~* ${json} or m.rests_on::text ~* ${json}))
        or exists (select from simulation_effect e where e.account_id = ${accountId}
          and e.simulation_lead_id = s.simulation_lead_id and e.detail ~* ${person}))`
}
