import * as Room from "../Platform/Room.ts"
import { BlacklistPostgres } from "./BlacklistPostgres.ts"

/** Whom an account never contacts. */
export const BlacklistRoom = Room.make({ layer: BlacklistPostgres })
