import * as Room from "../Platform/Room.ts"
import { presentationsPersonalData } from "./PersonalData.ts"
import { PresentationsPostgres } from "./PresentationsPostgres.ts"

/** Presentations made for a lead. */
export const PresentationsRoom = Room.make({ layer: PresentationsPostgres, personalData: presentationsPersonalData })
