import type { Act, ActKind, Objection } from "../Acts.ts"
import type { NamedContact } from "../Contacts/NamedContact.ts"
import type { RefusalReason, ReplyClass } from "../ReplyReading.ts"

export const reachable = (contact: NamedContact | null): boolean =>
  contact !== null && (contact.email !== null || contact.phone !== null)

/** Acts that keep a conversation open, whatever else the reply says. */
export const openingKinds: ReadonlySet<ActKind> = new Set([
  "asks",
  "proposes",
  "wants_meeting",
  "wants_document",
  "wants_call",
  "is_interested",
  "sets_condition",
  "defers"
])

/** A fact that leaves nothing to talk about when it is stated, and is an objection when it is asked. */
const closingObjections: ReadonlySet<Objection> = new Set(["supplier", "need"])

/** From this certainty on a need that is missing ends a conversation: "they use no apps" may be a mere doubt. */
const clearNeed = 0.9

/** Politer words than a refusal are often taken for a little interest. */
const tellingInterest = 0.6

/** Less than this does not keep a conversation open that is certainly refused. */
const tellingOpening = 0.6

/** Whether a reply ends the conversation: it refuses, and nothing in it asks for more. */
export const endsConversation = (acts: ReadonlyArray<Act>): boolean => {
  const refuses = acts.some(
    ({ certainty, isCertain, isQuestion, kind, objection }) =>
      isCertain &&
      (kind === "refuses" ||
        (kind === "objects" &&
          objection !== null &&
          closingObjections.has(objection) &&
          (objection !== "need" || certainty >= clearNeed) &&
          !isQuestion))
  )
  // "Too expensive, and not interested" is a refusal with its reason.
  const isPlain = acts.some(({ isCertain, kind }) => kind === "refuses" && isCertain)
  // "Yes, what is it? … No, not interested": what is said last counts.
  const lastRefusal = acts.findLastIndex(({ isCertain, kind }) => kind === "refuses" && isCertain)
  // "Not saying no, but convince me" has both in one sentence.
  const isLater = (text: string, index: number): boolean =>
    index > lastRefusal || text.includes(acts[lastRefusal]?.text ?? text)
  // A doubtful objection next to a certain one is a reason for the refusal that may be meant, else a door left open.
  const mayRefuse = acts.some(({ kind }) => kind === "refuses")
  const isOpen = acts.some(
    ({ certainty, isCertain, isQuestion, kind, objection, text }, index) =>
      (kind === "confirms" && isCertain && index > lastRefusal) ||
      (kind === "is_interested" && certainty >= tellingInterest && isLater(text, index)) ||
      (openingKinds.has(kind) &&
        kind !== "is_interested" &&
        (!isPlain || isCertain || isQuestion || certainty >= tellingOpening)) ||
      (!isPlain && kind === "objects" && (objection === "price" || objection === "trust")) ||
      (!mayRefuse && ((kind === "objects" && !isCertain) || kind === "is_interested"))
  )
  return refuses && !isOpen
}

/** The least share of a reply's sentences that read as a program's, where no header says that one wrote. */
const leastAutomaticShare = 0.5

/** From this share on nothing but a certain sentence is a person's. */
const mostAutomaticShare = 0.75

/** After so many sentences that are likely a program's, its questions are its own. */
const fewestOfProgram = 3
const leastTold = 0.5
/** After so many that are certainly a program's, a promise to come back is its own. */
const fewestCertain = 2

/** Programs write whole sentences. */
const fewestAutomaticWords = 5

/** A program names office hours, but no single appointment. */
const isAppointment = ({ isCertain, kind, time }: Act): boolean =>
  kind === "proposes" && isCertain && time !== null && time.days.length === 1 && time.untilMinute === null

/** Whether a program wrote the reply: its headers say so, or most of it reads so and nothing is a person's own. */
export const isMachine = (acts: ReadonlyArray<Act>): boolean => {
  if (acts.some(({ isAutomatic, source }) => isAutomatic && source === "rules")) return true
  const automatic = new Set(acts.flatMap(({ isAutomatic, text }) => (isAutomatic ? [text] : [])))
  // "Received." may be a person's.
  if ([...automatic].join(" ").split(/\s+/).length < fewestAutomaticWords) return false
  const others = new Set(acts.flatMap(({ kind, text }) => (kind === "thanks" || automatic.has(text) ? [] : [text])))
  const share = automatic.size / (automatic.size + others.size)
  // Between many sentences of a program a doubtful one is a program's too.
  const ofProgram = acts.filter((act) => act.isAutomatic && act.certainty >= leastTold).length
  const certainOfProgram = acts.filter((act) => act.isAutomatic && act.isCertain).length
  const isSaidByPerson = (act: Act): boolean =>
    !act.isAutomatic &&
    // "Was this message helpful?"
    !(act.kind === "asks" && ofProgram >= fewestOfProgram) &&
    // "We will come back to you as soon as we can."
    !(act.kind === "defers" && act.time === null && certainOfProgram >= fewestCertain) &&
    (personal.has(act.kind) || isAppointment(act)) &&
    (act.isCertain ||
      (act.certainty >= 0.5 &&
        share < mostAutomaticShare &&
        act.kind !== "defers" &&
        certainOfProgram < fewestCertain)) &&
    !automatic.has(act.text)
  return (
    share >= leastAutomaticShare &&
    acts.some(({ isAutomatic, isCertain }) => isAutomatic && isCertain) &&
    !acts.some(isSaidByPerson)
  )
}

/** Acts that a program does not perform by itself. */
const personal: ReadonlySet<ActKind> = new Set([
  "asks",
  "is_interested",
  "confirms",
  "calls_off",
  "wants_to_move",
  "wants_meeting",
  "objects",
  "sets_condition",
  "asks_if_machine",
  "is_customer",
  "defers"
])

type Test = (acts: ReadonlyArray<Act>) => boolean

const has =
  (...kinds: ReadonlyArray<ActKind>): Test =>
  (acts) =>
    acts.some(({ kind }) => kinds.includes(kind))

const hasTimed =
  (...kinds: ReadonlyArray<ActKind>): Test =>
  (acts) =>
    acts.some(({ kind, time }) => kinds.includes(kind) && time !== null)

const namesClock: Test = (acts) =>
  acts.some(
    ({ kind, time }) =>
      (kind === "proposes" || kind === "confirms") && time !== null && !time.isPast && time.minutes.length > 0
  )

const isWelcome = ({ isCertain, kind }: Act): boolean => kind === "is_interested" && isCertain
const isPlainQuestion = ({ isCertain, kind }: Act): boolean => kind === "asks" && isCertain

/** A question about the price is a question. Why one should change the supplier is an objection, whatever its mark. */
const isObjection: Test = (acts) =>
  acts.some(
    ({ isCertain, isQuestion, kind, objection, text }) =>
      kind === "sets_condition" ||
      (kind === "objects" &&
        objection !== "timing" &&
        // A doubtful objection is none next to interest or a question that is not doubtful.
        (isCertain || !acts.some((act) => isWelcome(act) || isPlainQuestion(act))) &&
        !(isQuestion && objection === "price") &&
        !acts.some((other) => other.kind === "asks" && other.text.includes(text)))
  )

/** "Can we talk in the first half of next week?" wants a meeting, and puts nothing off. */
const isForMeeting = ({ text }: Act, acts: ReadonlyArray<Act>): boolean =>
  acts.some(
    (other) =>
      (other.kind === "proposes" || other.kind === "wants_meeting") &&
      other.certainty >= leastTold &&
      text.includes(other.text)
  )

/** Whether an act puts off until a day that it names. */
const namesReturn = (act: Act, acts: ReadonlyArray<Act>): boolean =>
  act.kind === "defers" && act.time !== null && !act.time.isPast && act.time.first !== null && !isForMeeting(act, acts)

/** From which certainty on a deferral with a day outweighs an objection. */
const clearDeferral = 0.8

/** Acts next to a deferral whose day may be that of coming back: "our contract ends on 5 January. Write again then." */
const namesDay = ({ kind, time }: Act): boolean =>
  (kind === "objects" || kind === "is_away" || kind === "mentions") &&
  time !== null &&
  !time.isPast &&
  time.first !== null

const isCertainlyAway = (act: Act): boolean =>
  act.kind === "is_away" && act.isCertain && !act.isAutomatic && namesDay(act)

/** A clear deferral with a day, or one with a reason of time. What else the reply objects can wait until then. */
const isDatedDeferral: Test = (acts) => {
  const isBusy = acts.some(({ kind, objection }) => kind === "objects" && objection === "timing")
  return acts.some((act) => {
    const isClear = act.kind === "defers" && (act.isCertain || act.certainty >= clearDeferral)
    return (
      (namesReturn(act, acts) && (isClear || isBusy)) ||
      (isClear && !isForMeeting(act, acts) && acts.some(namesDay)) ||
      // "I am away until the 8th, call me when I am back."
      (act.kind === "defers" && act.certainty >= leastTold && acts.some(isCertainlyAway) && !acts.some(isWelcome))
    )
  })
}

/** What a lead that has no time says next to a wish to meet: "mornings never work, send me some options". */
const wantsAnswer = ({ isCertain, kind }: Act): boolean =>
  kind === "proposes" || kind === "wants_meeting" || kind === "wants_document" || (kind === "cannot" && isCertain)

/** A deferral that names when, that is certain, or that nothing else speaks against. */
const isDeferral: Test = (acts) =>
  acts.some((act) => {
    if (namesReturn(act, acts)) return true
    if (act.kind === "defers" && isForMeeting(act, acts)) return false
    if (act.kind === "defers" && act.isCertain) return !acts.some(isWelcome)
    const isBusy = act.kind === "objects" && act.objection === "timing"
    if (act.kind !== "defers" && !isBusy) return false
    return (
      !acts.some(wantsAnswer) &&
      (act.isCertain ? !acts.some(isWelcome) : !acts.some(({ kind }) => kind === "is_interested"))
    )
  })

/** A presentation that is asked for may be a document or a meeting: the likelier of the two counts. */
const wantsMeeting: Test = (acts) => {
  const document = acts.some(({ isCertain, kind }) => kind === "wants_document" && isCertain)
  return acts.some(
    ({ isCertain, kind, time }) =>
      (kind === "wants_meeting" || kind === "cannot" ? isCertain || !document : false) ||
      (kind === "proposes" && time?.isPast !== true) ||
      kind === "wants_call" ||
      kind === "wants_to_move"
  )
}

/** Whether the person who was written to is certainly the wrong one, or nothing else in the reply asks for more. */
const isWrongPerson: Test = (acts) =>
  acts.some(
    ({ isCertain, kind }) =>
      kind === "wrong_person" && (isCertain || !acts.some((other) => openingKinds.has(other.kind)))
  )

/** A lead that wants to be called names the person to ask for, which is not a referral. */
const isForwardedTo: Test = (acts) =>
  acts.some(({ isCertain, kind }) => kind === "refers_to" && isCertain) &&
  !acts.some(({ isCertain, kind }) => kind === "wants_call" && isCertain)

/**
 * The class of a reply: the first line whose test holds. Failed deliveries are recognised by their sender before anything
 * is read. `docs/reference/reply-acts.md` prints this table.
 */
export const classTable: ReadonlyArray<readonly [ReplyClass, meaning: string, Test]> = [
  [
    "unsubscribe",
    "asks with certainty to be left alone",
    (acts) => acts.some(({ isCertain, kind }) => kind === "stops" && isCertain)
  ],
  [
    "out_of_office",
    "a program says that the person is away",
    (acts) =>
      isMachine(acts) && acts.some((act) => act.kind === "is_away" && (!act.isAutomatic || act.time?.days.length === 1))
  ],
  ["auto_reply", "any other message of a program", isMachine],
  [
    "referral",
    "names another person with an address or a number",
    (acts) =>
      acts.some(
        ({ contact, kind }) =>
          (kind === "refers_to" || kind === "wrong_person" || kind === "forwards") && reachable(contact)
      )
  ],
  ["wrong_person", "is not the person who was meant", isWrongPerson],
  ["not_interested", "refuses, and asks for nothing more", endsConversation],
  ["meeting_request", "names an exact time", (acts) => namesClock(acts) || hasTimed("wants_to_move")(acts)],
  ["later", "wants to hear again on a day that it names", isDatedDeferral],
  ["objection", "objects or sets a condition, and leaves the door open", isObjection],
  ["gatekeeper", "says with certainty that someone else decides", isForwardedTo],
  ["later", "wants to hear again later", isDeferral],
  ["meeting_request", "wants a meeting or a call", wantsMeeting],
  [
    "interested",
    "wants to know more, or agrees",
    has("is_interested", "wants_document", "confirms", "prefers_channel")
  ],
  ["question", "asks something", has("asks", "asks_if_machine", "wants_human")],
  ["gatekeeper", "passes the message on, or names who decides", has("refers_to", "forwards")],
  [
    "out_of_office",
    "says that they are away, and nothing else",
    (acts) => acts.some(({ isAutomatic, kind }) => kind === "is_away" && !isAutomatic)
  ],
  ["other", "anything else", () => true]
]

export const classOf = (acts: ReadonlyArray<Act>): ReplyClass =>
  classTable.find(([, , holds]) => holds(acts))?.[0] ?? "other"

const reasons: { readonly [O in Objection]: RefusalReason } = {
  price: "price",
  supplier: "has_supplier",
  timing: "timing",
  need: "no_need",
  trust: "bad_experience"
}

/** Why a reply refuses, objects or puts off. */
export const reasonOf = (acts: ReadonlyArray<Act>, replyClass: ReplyClass): RefusalReason | null => {
  if (replyClass === "later") return "timing"
  if (replyClass !== "not_interested" && replyClass !== "objection") return null
  const objections = acts.flatMap(({ objection }) => (objection === null ? [] : [objection]))
  const first = objections.find((objection) => objection !== "timing") ?? objections[0]
  return first === undefined ? "other" : reasons[first]
}
