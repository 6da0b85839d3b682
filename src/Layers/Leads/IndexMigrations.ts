import type { Migration } from "../Platform/Postgres/Migration.ts"

/** Each update of a lead writes to all of its indexes, so indexes that no statement uses are dropped. */
export const unusedLeadIndexesMigration: Migration = {
  name: "lead_unused_indexes",
  releases: 2,
  sql: `
-- The nightly look for unscheduled leads also wants those with a waiting answer, so it cannot use an index that ends
-- at the sixth touch.
drop index lead_unscheduled;
`
}
