import { type PersonalData, redact } from "../Platform/PersonalData.ts"

/** Removes the person from the answers of searches. The rest of an answer stays. */
export const webSearchPersonalData: PersonalData = {
  forget: (sql, { accountId, patterns: { json, person } }) =>
    redact(
      sql,
      { table: "online_search", texts: ["query", "failure_reason", "result"], json: ["send_to", "sources", "queries"] },
      sql`account_id = ${accountId}`,
      person,
      json
    )
}
