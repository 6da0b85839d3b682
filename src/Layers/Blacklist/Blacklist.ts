import * as Room from "../Platform/Room.ts"
import { BlacklistPostgres } from "./BlacklistPostgres.ts"
import { blacklistMigration } from "./Migrations.ts"

/** Whom an account never contacts. */
export const BlacklistRoom = Room.make({ migrations: [blacklistMigration], layer: BlacklistPostgres })
