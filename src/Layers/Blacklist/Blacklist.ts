import * as Room from "../Platform/Room.ts"
import { BlacklistPostgres } from "./BlacklistPostgres.ts"
import { blacklistMigration } from "./Migrations.ts"

/** The blacklist of each account. */
export const BlacklistRoom = Room.make({ migrations: [blacklistMigration], layer: BlacklistPostgres })
