import * as Room from "../Platform/Room.ts"
import { JobsPostgres } from "./JobsPostgres.ts"

/** Long work as its account sees it. */
export const JobsRoom = Room.make({ layer: JobsPostgres })
