import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { LeadDocumentsPostgres } from "./LeadDocumentsPostgres.ts"
import { presentationsPersonalData } from "./PersonalData.ts"
import { PresentationsPostgres } from "./PresentationsPostgres.ts"

/** The room of presentations made for a lead, and of documents that leads ask for. */
export const PresentationsRoom = Room.make({
  layer: LeadDocumentsPostgres.pipe(Layer.provideMerge(PresentationsPostgres)),
  personalData: presentationsPersonalData
})
