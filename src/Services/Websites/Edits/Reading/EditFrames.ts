import type { EditDesk, Outcome } from "../EditDesk.ts"
import { holdsTwoOrders } from "../EditGuards.ts"
import { verified } from "../EditVerify.ts"
import { raisingPrices } from "../PriceSteps.ts"
import { phoneOnly, settingContact, settingLink } from "../Wishes/ContactEdits.ts"
import { addingField, offeringChoices, renamingField, requiring } from "../Wishes/FieldEdits.ts"
import { closingDays, settingHours } from "../Wishes/HoursEdits.ts"
import { look } from "../Wishes/LookEdits.ts"
import { answering, naming } from "../Wishes/NameEdits.ts"
import { addingIncluded, addingOffer, addingPrice, offering } from "../Wishes/OfferEdits.ts"
import { picturing } from "../Wishes/PictureEdits.ts"
import { movingPlaces, raisingPhone, swappingPlaces } from "../Wishes/PlaceEdits.ts"
import { noLonger, removing } from "../Wishes/RemovalEdits.ts"
import {
  addingClients,
  addingForm,
  addingFromMaterial,
  addingPage,
  addingSection,
  addingTeam
} from "../Wishes/SectionEdits.ts"
import { addingListed, addingSentence, describing } from "../Wishes/SentenceEdits.ts"
import { joiningTeam, leavingTeam, tellingOfPerson } from "../Wishes/TeamEdits.ts"
import { renamingSection, replacing, respelling, settingText } from "../Wishes/TextEdits.ts"
import { settingValue } from "../Wishes/ValueEdits.ts"
import { addingVariant } from "../Wishes/VariantEdits.ts"
import { addingQuestion, addingQuote, settingAnswer } from "./ClientWords.ts"
import type { Clause } from "./EditClause.ts"

/** Reads a clause as one kind of wish. Undefined if the clause is of another kind. */
export type Frame = (clause: Clause, desk: EditDesk) => Outcome | undefined

/** The readers of each kind of wish, most specific first. */
const frames: ReadonlyArray<Frame> = [
  answering,
  phoneOnly,
  leavingTeam,
  noLonger,
  closingDays,
  offering,
  tellingOfPerson,
  offeringChoices,
  requiring,
  addingVariant,
  look,
  picturing,
  addingForm,
  addingField,
  renamingField,
  addingQuestion,
  addingQuote,
  addingClients,
  addingTeam,
  joiningTeam,
  renamingSection,
  swappingPlaces,
  raisingPhone,
  movingPlaces,
  raisingPrices,
  settingContact,
  settingLink,
  settingHours,
  naming,
  respelling,
  settingAnswer,
  settingValue,
  settingText,
  describing,
  replacing,
  addingPrice,
  addingIncluded,
  addingListed,
  addingOffer,
  addingPage,
  addingSection,
  addingFromMaterial,
  removing,
  addingSentence
]

/** Returns the first reading whose change is visible on the site, or else the reason why the first reading failed. */
export const framed = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (holdsTwoOrders(clause.tokens)) return undefined
  let first: Outcome | undefined
  for (const frame of frames) {
    const outcome = frame(clause, desk)
    if (outcome === undefined) continue
    if (outcome._tag === "Failure") {
      first ??= outcome
      continue
    }
    const result = verified(outcome, desk)
    if (result._tag === "Done") return outcome
    first ??= { _tag: "Failure", reason: result.reason, suggestion: result.suggestion }
  }
  return first
}
