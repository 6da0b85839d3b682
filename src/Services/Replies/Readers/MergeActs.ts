import { fold } from "../../Text/PlainText.ts"
import type { Act, ActKind } from "../Acts.ts"

/** For these acts, the embedded reader's result counts whatever a model says, because they protect the writer. */
const protective: ReadonlySet<ActKind> = new Set(["stops", "demands_data", "threatens_law", "wants_human"])

/** What ends, books or changes something. A model's word for it is not certain where the embedded reader contradicts it. */
const contradictedBy: { readonly [K in ActKind]?: ReadonlyArray<ActKind> } = {
  proposes: ["cannot", "mentions"],
  confirms: ["cannot", "calls_off"],
  calls_off: ["confirms", "proposes"],
  wants_to_move: ["confirms"],
  refuses: ["is_interested", "proposes", "wants_meeting", "asks"],
  wrong_person: ["is_interested", "proposes", "confirms"],
  stops: ["is_interested", "proposes", "asks", "confirms"]
}

/** The least certainty with which the embedded reader contradicts a model. */
const leastContradiction = 0.5

const overlaps = (one: string, other: string): boolean => {
  const [a, b] = [fold(one), fold(other)]
  return a.includes(b) || b.includes(a)
}

const isContradicted = (act: Act, byReader: ReadonlyArray<Act>): boolean =>
  byReader.some(
    (other) =>
      other.certainty >= leastContradiction &&
      overlaps(act.text, other.text) &&
      contradictedBy[act.kind]?.includes(other.kind) === true &&
      !byReader.some(
        ({ certainty, kind, text }) => kind === act.kind && certainty > other.certainty && overlaps(act.text, text)
      )
  )

/**
 * The acts of a reply that a model and the embedded reader both read. The model's acts stand in for the reader's, so that
 * a time which the model does not call a proposal is none. What the reader says of opt-outs, legal letters and wishes for
 * a person stays, and so does what is written out. Where the reader contradicts the model, neither is certain.
 */
export const mergeActs = (byReader: ReadonlyArray<Act>, byModel: ReadonlyArray<Act>): ReadonlyArray<Act> => {
  const kept = byReader.filter(
    ({ isCertain, kind, source }) => (source === "rules" && kind !== "mentions") || (protective.has(kind) && isCertain)
  )
  const contacts = byReader.find(({ contact }) => contact !== null)?.contact ?? null
  const model = byModel
    .filter((act) => !kept.some((other) => other.kind === act.kind && overlaps(other.text, act.text)))
    .map(
      (act): Act => ({
        ...act,
        isCertain: act.isCertain && !isContradicted(act, byReader),
        contact: act.contact ?? (act.kind === "refers_to" ? contacts : null)
      })
    )
  return [...kept, ...model]
}
