import { nextInWindow, wallClock } from "../../../Services/Core/LocalTime.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import type { SeededRandom } from "../../Simulated/SeededRandom.ts"
import type { SandboxOutcome } from "../../Voice/sandbox/SandboxConversation.ts"

/** The kinds of answers that a simulated person can write. */
export type AnswerKind =
  | "interested"
  | "question"
  | "meeting"
  | "not_interested"
  | "referral"
  | "wrong_person"
  | "gatekeeper"
  | "unsubscribe"
  | "unclear"
  | "thanks"

/** The possible reactions of a simulated person to a message. */
export type Reaction =
  | { readonly _tag: "Answer"; readonly kind: AnswerKind }
  /** Uses the unsubscribe button of the mail program. */
  | { readonly _tag: "OneClick" }

/** A simulated person's behaviour. The same contact and seed give the same character. */
export interface Character {
  readonly language: Language
  /** The address does not exist. */
  readonly isDead: boolean
  /** The mail program answers the first message with an absence notice. */
  readonly isAway: boolean
  /** The unanswered message that the person reacts to, if any. */
  readonly reaction: { readonly toMessage: number; readonly with: Reaction } | undefined
}

const answer = (kind: AnswerKind): Reaction => ({ _tag: "Answer", kind })

/** The distribution of answers among a hundred people who answer. Referred people answer more positively. */
const answers = (
  isReferred: boolean
): readonly [readonly [number, Reaction], ...ReadonlyArray<readonly [number, Reaction]>] => [
  [isReferred ? 36 : 24, answer("interested")],
  [isReferred ? 18 : 18, answer("question")],
  [isReferred ? 18 : 10, answer("meeting")],
  [isReferred ? 12 : 20, answer("not_interested")],
  [isReferred ? 2 : 6, answer("referral")],
  [isReferred ? 2 : 5, answer("wrong_person")],
  [isReferred ? 2 : 5, answer("gatekeeper")],
  [isReferred ? 2 : 4, answer("unsubscribe")],
  [5, answer("unclear")]
]

/** The share of contacted people who answer, as in successful cold outreach. */
export const defaultReactionShare = 0.1

/** The number of people who use the unsubscribe button of their mail program, for each one who answers. */
const oneClickPerAnswer = 0.03

const absenceShare = 0.05
const deadShare = 0.025

/**
 * Decides which people of each campaign answer: one in each run of people, at a random position in its middle. Chance
 * alone could give a campaign of thirty people no answer, or answers from a quarter of them.
 */
export const makeReactionQuota = (random: SeededRandom, share: number) => {
  const contactedPeople = new Map<number | null, number>()
  return (campaignId: number | null): boolean => {
    const place = contactedPeople.get(campaignId) ?? 0
    contactedPeople.set(campaignId, place + 1)
    const run = Math.floor(place * share)
    const chosenPlace = (of: number) => Math.floor((of + 0.25 + random.share("quota", campaignId ?? 0, of) / 2) / share)
    return place === chosenPlace(run)
  }
}

/**
 * Chooses how a person behaves. `contact` is the person's address or number. `reacts` is called once per person whose
 * address exists. Without it, people answer by chance, and referred people six times as often as `share`.
 */
export const characterOf = (
  random: SeededRandom,
  contact: string,
  options: {
    readonly isReferred: boolean
    readonly language: Language
    readonly reacts: (() => boolean) | undefined
    readonly share: number
  }
): Character => {
  const { isReferred, language, reacts, share } = options
  const isDead = random.share(contact, "dead") < deadShare
  const isAway = random.share(contact, "away") < absenceShare
  const isAnswering = isDead
    ? false
    : (reacts?.() ?? random.share(contact, "reacts") < Math.min(0.9, isReferred ? share * 6 : share))
  const toMessage = random.weighed(
    [
      [54, 1],
      [24, 2],
      [11, 3],
      [6, 4],
      [3, 5],
      [2, 6]
    ],
    contact,
    "message"
  )
  const reaction: Reaction | undefined = isAnswering
    ? random.weighed(answers(isReferred), contact, "reaction")
    : random.share(contact, "button") < share * oneClickPerAnswer
      ? { _tag: "OneClick" }
      : undefined
  return {
    language,
    isDead,
    isAway,
    // If the person is away, their mail program answers the first message, so the person reacts to the second at the
    // earliest.
    reaction:
      reaction === undefined ? undefined : { toMessage: isAway ? Math.max(2, toMessage) : toMessage, with: reaction }
  }
}

/** Returns what the person writes after the last message was answered, often nothing. */
export const nextAnswer = (
  random: SeededRandom,
  contact: string,
  lastKind: AnswerKind | "call",
  turn: number
): AnswerKind | undefined => {
  if (turn > 4) return undefined
  const after: { readonly [K in AnswerKind | "call"]?: ReadonlyArray<readonly [number, AnswerKind | undefined]> } = {
    interested: [
      [42, "meeting"],
      [20, "question"],
      [12, "not_interested"],
      [26, undefined]
    ],
    question: [
      [28, "interested"],
      [27, "meeting"],
      [15, "not_interested"],
      [30, undefined]
    ],
    meeting: [
      [60, "meeting"],
      [10, "not_interested"],
      [30, undefined]
    ],
    gatekeeper: [
      [35, "referral"],
      [65, undefined]
    ],
    unclear: [
      [35, "interested"],
      [20, "not_interested"],
      [45, undefined]
    ],
    thanks: [
      [20, "meeting"],
      [80, undefined]
    ],
    call: [
      [45, "meeting"],
      [20, "question"],
      [35, undefined]
    ]
  }
  const [first, ...others] = after[lastKind] ?? []
  return first === undefined ? undefined : random.weighed([first, ...others], contact, "next", turn)
}

/** Returns how a call to the person ends. People who do not answer mail do not pick up either. */
export const callOutcome = (
  random: SeededRandom,
  contact: string,
  { reaction }: Character,
  count: number
): SandboxOutcome => {
  if (reaction === undefined || reaction.with._tag === "OneClick") {
    return random.weighed<SandboxOutcome>(
      [
        [60, "no_answer"],
        [10, "busy"],
        [30, "answering_machine"]
      ],
      contact,
      "call",
      count
    )
  }
  const isWarm = ["interested", "question", "meeting"].includes(reaction.with.kind)
  return random.weighed<SandboxOutcome>(
    [
      [isWarm ? 25 : 46, "no_answer"],
      [7, "busy"],
      [isWarm ? 10 : 20, "answering_machine"],
      [isWarm ? 38 : 5, "agrees"],
      [isWarm ? 15 : 8, "asks_to_call_later"],
      [isWarm ? 4 : 10, "declines"],
      [isWarm ? 0 : 2, "wrong_person"],
      [isWarm ? 1 : 2, "opts_out"]
    ],
    contact,
    "call",
    count
  )
}

const minute = 60_000
const hour = 60 * minute
const awake = { startHour: 7, endHour: 22 }
const atWork = { startHour: 8, endHour: 19 }

/** Returns when the person answers a message of `millis`: soon in a chat, within days by mail, rarely at night. */
export const answersAt = (
  random: SeededRandom,
  contact: string,
  turn: number,
  { isChat, millis, zone }: { readonly isChat: boolean; readonly millis: number; readonly zone: string }
): number => {
  const speed = random.share(contact, "patience", turn)
  const draw = (low: number, high: number) => random.between(low, high, contact, "delay", turn)
  const delay = isChat
    ? speed < 0.6
      ? draw(minute, 25 * minute)
      : draw(30 * minute, 9 * hour)
    : speed < 0.3
      ? draw(8 * minute, 90 * minute)
      : speed < 0.75
        ? draw(90 * minute, 8 * hour)
        : draw(18 * hour, 62 * hour)
  const at = millis + delay
  const { hour: localHour } = wallClock(at, zone)
  const isHourOk = localHour >= awake.startHour && localHour < awake.endHour
  if (isHourOk && (isChat || random.share(contact, "weekend", turn) < 0.2)) return at
  const opening = nextInWindow(at, zone, atWork)
  return opening === at ? at : opening + random.between(0, 3 * hour, contact, "morning", turn)
}
