import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { type Changes, clearedIfBlank } from "../Core/Changes.ts"
import type { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import { type AskedRules, ruleChanges } from "../Prospecting/ProspectingRules.ts"
import { type AskedTargeting, targetingChanges } from "../Prospecting/Targeting.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { normaliseWebsite } from "../Text/WebAddress.ts"
import type { NewCampaign } from "./Campaigns.ts"

/** A change as a caller asks for it: a blank text clears a field, what is left out stays. */
export interface AskedCampaign extends AskedTargeting, AskedRules {
  readonly business_name?: string | undefined
  readonly business_description?: string | undefined
  readonly business_website?: string | undefined
  readonly icp?: string | undefined
  readonly email_display_name?: string | undefined
  readonly is_active?: boolean | undefined
  readonly lead_generation_active?: boolean | undefined
  readonly voice_calling_active?: boolean | undefined
  readonly clear_voice_calling_active?: boolean
  readonly generate_custom_presentations?: boolean | undefined
  readonly notify_on_interested?: boolean | undefined
  readonly notify_on_confirmed?: boolean | undefined
}

const oneLine = (parameter: string, text: string): Either.Either<string, Refused> =>
  isSingleLine(text)
    ? Either.right(text.trim())
    : Either.left(
        refused(
          "control_characters",
          `${parameter} has a line break or another control character.`,
          "Send it as one line of text.",
          { parameter }
        )
      )

const oneLineIfGiven = (parameter: string, text: string | undefined): Either.Either<string | undefined, Refused> =>
  text === undefined ? Either.right(undefined) : oneLine(parameter, text)

const website = (text: string | null | undefined): Either.Either<string | null | undefined, Refused> =>
  text === undefined || text === null
    ? Either.right(text)
    : Either.mapLeft(normaliseWebsite(text), ({ message, reason }) =>
        refused(reason, message, "Correct business_website, or leave it out.", { parameter: "business_website" })
      )

/** The name of a campaign as it is stored. `parameter` is the one it came in. */
export const campaignName = (parameter: string, text: string): Either.Either<string, Refused> =>
  Either.filterOrLeft(
    oneLine(parameter, text.normalize("NFC")),
    (name) => !/^[0-9]+$/.test(name),
    () =>
      refused(
        "campaign_name_numeric",
        `${parameter} consists of digits only.`,
        "Add a letter: where a campaign is asked for, a number stands for its id.",
        { parameter }
      )
  )

/** Checks a change of a campaign and brings its values into the form in which they are stored. */
export const campaignChanges = (asked: AskedCampaign): Either.Either<Changes<CampaignSettings>, Refused> =>
  Either.gen(function* () {
    if (asked.clear_voice_calling_active === true && asked.voice_calling_active !== undefined) {
      return yield* Either.left(
        refused(
          "contradicting_parameters",
          "voice_calling_active sets what clear_voice_calling_active would clear.",
          "Send one of the two.",
          { parameters: ["voice_calling_active", "clear_voice_calling_active"] }
        )
      )
    }
    return {
      ...(yield* targetingChanges(asked)),
      ...ruleChanges(asked),
      business_name: yield* oneLineIfGiven("business_name", asked.business_name),
      business_description: clearedIfBlank(asked.business_description),
      business_website: yield* website(clearedIfBlank(asked.business_website)),
      icp: clearedIfBlank(asked.icp),
      email_display_name: clearedIfBlank(yield* oneLineIfGiven("email_display_name", asked.email_display_name)),
      is_active: asked.is_active,
      lead_generation_active: asked.lead_generation_active,
      voice_calling_active: asked.clear_voice_calling_active === true ? null : asked.voice_calling_active,
      generate_custom_presentations: asked.generate_custom_presentations,
      notify_on_interested: asked.notify_on_interested,
      notify_on_confirmed: asked.notify_on_confirmed
    }
  })

/** Checks a campaign to be made. */
export const newCampaign = (
  asked: AskedCampaign & { readonly name: string; readonly business_name: string }
): Either.Either<NewCampaign, Refused> =>
  Either.gen(function* () {
    return {
      ...(yield* campaignChanges(asked)),
      name: yield* campaignName("name", asked.name),
      business_name: yield* oneLine("business_name", asked.business_name)
    }
  })
