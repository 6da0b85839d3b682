import { Schema } from "effect"
import { shareOf } from "../Text/PlainText.ts"
import { Opening, openings } from "../Writing/Openings.ts"

/** What the optimizer may move, and how far. Nothing of it is the owner's to write down elsewhere. */
export const Setting = Schema.Literal("opening", "send_hours", "pauses", "channel_order")
export type Setting = typeof Setting.Type

export const SendHours = Schema.Literal("usual", "morning", "afternoon")
export const Pauses = Schema.Literal("usual", "shorter", "longer")
export const ChannelOrder = Schema.Literal("email_first", "chatapp_first")

/** What holds for one lead. */
export const Trial = Schema.Struct({
  opening: Opening,
  send_hours: SendHours,
  pauses: Pauses,
  /** Null where the lead has no choice of channels, or has one of the owner's making. */
  channel_order: Schema.NullOr(ChannelOrder),
  /** The division of the lead's sector, in which the order of channels may be another one. */
  sector: Schema.NullOr(Schema.String)
})
export type Trial = typeof Trial.Type

interface SettingRules {
  readonly choices: ReadonlyArray<string>
  /** What holds where nothing was chosen; undefined: all alike. */
  readonly usual: string | undefined
}

export const settingRules: { readonly [S in Setting]: SettingRules } = {
  opening: { choices: openings, usual: undefined },
  send_hours: { choices: SendHours.literals, usual: "usual" },
  pauses: { choices: Pauses.literals, usual: "usual" },
  channel_order: { choices: ChannelOrder.literals, usual: "email_first" }
}

/** How much longer or shorter than usual the days between two touches are. */
export const pauseFactors: { readonly [P in typeof Pauses.Type]: number } = { usual: 1, shorter: 0.7, longer: 1.5 }

/** Of the leads, how many go on to try something else than what was chosen: without them no effect could be measured. */
const triedShare = 0.3

/** The choices that the optimizer made for a campaign, by setting, or by setting and sector (`channel_order:62`). */
export type Choices = { readonly [setting: string]: string }

/** The setting of a key such as `opening` or `channel_order:62`. */
export const settingOf = (key: string): Setting =>
  Setting.literals.find((setting) => setting === key.split(":")[0]) ?? "channel_order"

/** How often each choice of a setting is tried: all alike, or what was chosen for most and the others for the rest. */
export const choiceWeights = (
  setting: Setting,
  chosen: string | undefined
): ReadonlyArray<readonly [choice: string, weight: number]> => {
  const { choices, usual } = settingRules[setting]
  const main = chosen !== undefined && choices.includes(chosen) ? chosen : usual
  if (main === undefined) return choices.map((choice) => [choice, 1 / choices.length])
  const rest = triedShare / (choices.length - 1)
  return choices.map((choice) => [choice, choice === main ? 1 - triedShare : rest])
}

/** The choice for one lead: always the same, and independent of its other settings and of whatever it is like. */
const drawn = (setting: Setting, chosen: string | undefined, leadId: number): string => {
  let left = shareOf(`${leadId}|${setting}`)
  const weights = choiceWeights(setting, chosen)
  for (const [choice, weight] of weights) {
    left -= weight
    if (left < 0) return choice
  }
  return weights.at(-1)?.[0] ?? ""
}

/** What holds for a lead of a campaign, whose leads were drawn by lot: what they do differs by nothing else. */
export const trialOf = (
  choices: Choices,
  lead: { readonly leadId: number; readonly sector: string | null; readonly hasChoiceOfChannels: boolean }
): Trial => {
  const pick = (setting: Setting, key: string = setting) =>
    drawn(setting, choices[key] ?? choices[setting], lead.leadId)
  return {
    opening: openings.find((opening) => opening === pick("opening")) ?? "offer",
    send_hours: SendHours.literals.find((hours) => hours === pick("send_hours")) ?? "usual",
    pauses: Pauses.literals.find((pauses) => pauses === pick("pauses")) ?? "usual",
    channel_order: lead.hasChoiceOfChannels
      ? (ChannelOrder.literals.find((order) => order === pick("channel_order", `channel_order:${lead.sector}`)) ??
        "email_first")
      : null,
    sector: lead.sector
  }
}

const switchedOff = /\b(?:no[ -]+optimi[sz]er|sem[ -]+otimizador|sin[ -]+optimizador)\b/i

/** Whether the owner's strategy says that nothing is to be optimized. */
export const isOptimizerOff = (strategy: string | null | undefined): boolean => switchedOff.test(strategy ?? "")
