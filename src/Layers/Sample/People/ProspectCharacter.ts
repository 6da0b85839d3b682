import { nextInWindow, wallClock } from "../../../Services/Core/LocalTime.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import type { SandboxOutcome } from "../../Voice/sandbox/SandboxConversation.ts"
import type { SeededRandom } from "../Simulated/SeededRandom.ts"

/** What a simulated person can write back. */
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

/** How a simulated person can react to a message. */
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

/** Weights of the reactions among a hundred people who react. Referred people react more positively. */
const reactions = (isReferred: boolean): ReadonlyArray<readonly [number, Reaction]> => [
  [isReferred ? 36 : 24, answer("interested")],
  [isReferred ? 18 : 18, answer("question")],
  [isReferred ? 18 : 10, answer("meeting")],
  [isReferred ? 12 : 20, answer("not_interested")],
  [isReferred ? 2 : 6, answer("referral")],
  [isReferred ? 2 : 5, answer("wrong_person")],
  [isReferred ? 2 : 5, answer("gatekeeper")],
  [isReferred ? 2 : 4, answer("unsubscribe")],
  [isReferred ? 3 : 3, { _tag: "OneClick" }],
  [5, answer("unclear")]
]

/** The share of contacted people who react, as in successful cold outreach. */
export const defaultReactionShare = 0.11

/**
 * `contact` is the person's address or number. `share` is the share of people who react; referred people react six
 * times as often.
 */
export const characterOf = (
  random: SeededRandom,
  contact: string,
  { isReferred, language, share }: { readonly isReferred: boolean; readonly language: Language; readonly share: number }
): Character => {
  const kinds = reactions(isReferred)
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0)
  const reacting = Math.min(0.9, isReferred ? share * 6 : share)
  const reaction = random.weighed<Reaction | undefined>(
    [[(total * (1 - reacting)) / reacting, undefined], ...kinds],
    contact,
    "reaction"
  )
  const toMessage = random.weighed(
    [
      [46, 1],
      [24, 2],
      [13, 3],
      [9, 4],
      [5, 5],
      [3, 6]
    ],
    contact,
    "message"
  )
  return {
    language,
    isDead: random.share(contact, "dead") < 0.025,
    isAway: random.share(contact, "away") < 0.05,
    reaction: reaction === undefined ? undefined : { toMessage, with: reaction }
  }
}

/** What the person writes after the last message was answered. Often nothing. */
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

/** How a call to the person ends. */
export const callOutcome = (
  random: SeededRandom,
  contact: string,
  { reaction }: Character,
  count: number
): SandboxOutcome => {
  const isWarm = reaction?.with._tag === "Answer" && ["interested", "question", "meeting"].includes(reaction.with.kind)
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

/** When the person answers a message of `millis`: soon in a chat, within days by mail, rarely at night. */
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
