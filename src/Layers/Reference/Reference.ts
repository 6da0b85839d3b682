import * as Room from "../Platform/Room.ts"
import { ReferencePostgres } from "./ReferencePostgres.ts"

/** Reference data, the platform's articles, and suggestions based on the account's description of its business. */
export const ReferenceRoom = Room.make({ layer: ReferencePostgres })
