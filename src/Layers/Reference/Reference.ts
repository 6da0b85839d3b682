import * as Room from "../Platform/Room.ts"
import { ReferencePostgres } from "./ReferencePostgres.ts"

/** Reference data, the platform's articles, and suggestions made of what the account says. */
export const ReferenceRoom = Room.make({ layer: ReferencePostgres })
