import { Effect } from "effect"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { PersonalData } from "../Platform/PersonalData.ts"

/** Deletes the lead's presentation. */
export const presentationsPersonalData: PersonalData = {
  forget: (sql, { accountId, leadId, removeFiles }) =>
    Effect.gen(function* () {
      const files = yield* sql<{ readonly id: CustomerFileId }>`
        select presentation_file_id as id from lead
        where account_id = ${accountId} and lead_id = ${leadId} and presentation_file_id is not null`
      yield* removeFiles(files.map(({ id }) => id))
    })
}
