import type { PersonalData } from "../Platform/PersonalData.ts"

/** Simulations in which the person was named or played: they are worth nothing without the name. */
export const simulationPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns }) => sql`
    delete from simulation_lead s where s.account_id = ${accountId} and (s.profile::text ~* ${patterns.json}
      or exists (select from simulation_message m where m.account_id = ${accountId}
        and m.simulation_lead_id = s.simulation_lead_id and m.body ~* ${patterns.person}))`
}
