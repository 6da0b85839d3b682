import type { SendWindow } from "../../Services/Core/LocalTime.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { responseAt } from "../../Services/Replies/Consequences/ReplyConsequences.ts"
import type { ReplyReading } from "../../Services/Replies/ReplyReading.ts"
import { callTimeOf } from "../../Services/Replies/Times/CallWish.ts"
import { subjectOf } from "../../Services/Simulation/SimulatedLead.ts"
import {
  industryOf,
  type SimulatingAccount,
  type SimulationSoFar,
  zoneOfSimulated
} from "../../Services/Simulation/SimulatedTurn.ts"
import type { SimulationChannel } from "../../Services/Simulation/Simulation.ts"
import { holidaysOf } from "../../Services/Timing/Holidays.ts"
import { leadZoneOf, windowInAllZones } from "../../Services/Zones/LeadZone.ts"

/** True if the simulated lead made the same objection before. */
export const repeatsObjection = ({ messages }: SimulationSoFar, { refusalReason }: ReplyReading): boolean =>
  messages.some(({ reading }) => reading?.class === "objection" && reading.refusalReason === refusalReason)

/** Returns a text about the simulated lead, which is compared with the owner's criteria. */
export const profileTextOf = ({ profile }: SimulationSoFar): string => {
  const { background, city, cnae, cnpj, company_description, company_name, country, lead_name, state } = profile
  const industry = industryOf(profile)
  const code = cnae === industry ? null : cnae
  return [lead_name, company_name, cnpj, company_description, industry, code, city, state, country, background]
    .filter((part) => part !== null)
    .join("\n")
}

/** True if the lead already got its holding line. It gets only one. */
export const wasHeldBefore = ({ messages }: SimulationSoFar): boolean =>
  messages.some(({ author, message_type }) => author === "agent" && message_type === "direct")

/** Returns when the lead would be called, if it asks for that and calls are enabled. */
export const callTimeOfSimulated = (
  simulation: SimulationSoFar,
  {
    account,
    channel,
    config
  }: {
    readonly account: SimulatingAccount
    readonly channel: SimulationChannel
    readonly config: Pick<EffectiveConfiguration, "voice_calling_active">
  },
  reading: ReplyReading,
  { near, now }: { readonly now: number; readonly near: number | undefined }
): number | undefined => {
  const { profile } = simulation
  if (!config.voice_calling_active || channel !== "chatapp" || profile.phone === null) return undefined
  const soon = responseAt(subjectOf(profile), now)
  return callTimeOf(reading, { now, soon, zone: zoneOfSimulated(simulation, account), near })
}

/** The hours for the first message: not on the lead's holidays, and at daytime in each zone in which it may live. */
export const firstWindow = (
  { profile }: SimulationSoFar,
  {
    account,
    config
  }: {
    readonly account: SimulatingAccount
    readonly config: Pick<EffectiveConfiguration, "send_window_end_hour" | "send_window_start_hour">
  },
  now: number
): { readonly zone: string; readonly window: SendWindow } => {
  const { country, phone, state } = profile
  const lead = { country, phone, state }
  const place = leadZoneOf(
    { ...lead, timeZone: null },
    { timeZone: account.time_zone, language: account.language_key },
    now
  )
  const window = {
    startHour: config.send_window_start_hour,
    endHour: config.send_window_end_hour,
    isClosed: holidaysOf(lead, place.zone)
  }
  return { zone: place.zone, window: windowInAllZones(place, window, now) }
}
