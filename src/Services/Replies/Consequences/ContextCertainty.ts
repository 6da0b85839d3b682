import type { Act, ActKind } from "../Acts.ts"

/**
 * From which probability an act is certain where the rest of the reply does not contradict it. A sentence alone leaves more
 * open than a sentence in its reply, so these are lower than the classifier's own thresholds. `npm run train:reader` prints
 * how often acts above them are wrong, on sentences that no training saw: a wrong act may cost 50 needless questions.
 */
export const certainInReply: { readonly [label: string]: number } = {
  proposes: 0.7,
  confirms: 0.7,
  wants_to_move: 0.8,
  wants_call: 0.7,
  cannot: 0.8,
  calls_off: 0.8,
  refuses: 0.8,
  stops: 0.97,
  objects_supplier: 0.8,
  objects_need: 0.8,
  wrong_person: 0.8,
  refers_to: 0.8
}

/** Acts of the same clause that make a proposal doubtful, from which probability on. */
const rivals: ReadonlyMap<ActKind, number> = new Map([
  ["cannot", 0.3],
  ["calls_off", 0.3],
  ["mentions", 0.4]
])

/** Acts whose time is booked if nothing makes it doubtful. */
export const bookingKinds: ReadonlySet<ActKind> = new Set(["proposes", "confirms", "wants_to_move", "wants_call"])

/** "Would Tuesday at three be possible?": a question proposes its time, also where it sounds like a refusal. */
const clearProposal = 0.95
const rivalOfQuestion = 0.8

/** "On the other hand I am in the office on Monday at noon": what denies nothing is hardly a refusal. */
const rivalWithoutDenial = 0.6

/**
 * Whether another act of the same clause makes a proposal doubtful. `isDenied` says whether the clause has a word that
 * denies.
 */
export const isDisputed = (
  { certainty, isDenied, isQuestion }: Pick<Act, "certainty" | "isQuestion"> & { readonly isDenied: boolean },
  others: ReadonlyArray<Pick<Act, "certainty" | "kind">>
): boolean =>
  others.some((other) => {
    const isClear = certainty >= clearProposal && other.kind === "cannot"
    const least =
      isClear && isQuestion ? rivalOfQuestion : isClear && !isDenied ? rivalWithoutDenial : rivals.get(other.kind)
    // A time is also mentioned where it is proposed, so only a likelier mention counts.
    return least !== undefined && other.certainty >= least && (other.kind !== "mentions" || other.certainty > certainty)
  })
