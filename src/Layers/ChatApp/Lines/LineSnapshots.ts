import { Option, Schema } from "effect"
import type { ChatAppHealth, LineSnapshot } from "../../../Services/ChatApp/ChatApp.ts"
import { type ChatAppProfile, type ChatAppQuality, emptyProfile } from "../../../Services/ChatApp/ChatAppModel.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"

/** The fields that are requested of a number. */
export const lineFields = "display_phone_number,verified_name,quality_rating,messaging_limit_tier,status,health_status"
export const profileFields = "about,address,description,email,profile_picture_url,websites,vertical"

const text = Schema.optionalWith(Schema.String, { nullable: true, exact: true })

const HealthError = Schema.Struct({ error_description: text, possible_solution: text })
const Entity = Schema.Struct({
  entity_type: text,
  id: text,
  can_send_message: text,
  errors: Schema.optionalWith(Schema.Array(HealthError), { nullable: true, exact: true }),
  additional_info: Schema.optionalWith(Schema.Array(Schema.String), { nullable: true, exact: true })
})

export const PhoneNumber = Schema.Struct({
  display_phone_number: text,
  verified_name: text,
  quality_rating: text,
  messaging_limit_tier: text,
  status: text,
  health_status: Schema.optionalWith(
    Schema.Struct({
      can_send_message: text,
      entities: Schema.optionalWith(Schema.Array(Entity), { nullable: true, exact: true })
    }),
    { nullable: true, exact: true }
  )
})
export type PhoneNumber = typeof PhoneNumber.Type

const ProfileData = Schema.Struct({
  about: text,
  address: text,
  description: text,
  email: text,
  profile_picture_url: text,
  vertical: text,
  websites: Schema.optionalWith(Schema.Array(Schema.String), { nullable: true, exact: true })
})
export const Profiles = Schema.Struct({ data: Schema.Array(ProfileData) })

const shortened = (value: string | undefined, length: number): string | null => {
  const tidy = clip(tidyText(value ?? ""), length).trim()
  return tidy === "" ? null : tidy
}

export const profileOf = ({ data }: typeof Profiles.Type): ChatAppProfile => {
  const profile = data[0]
  if (profile === undefined) return emptyProfile
  const vertical = shortened(profile.vertical, 40)
  return {
    about: shortened(profile.about, 139),
    description: shortened(profile.description, 512),
    address: shortened(profile.address, 256),
    email: shortened(profile.email, 254),
    websites: (profile.websites ?? []).slice(0, 2).map((website) => clip(website, 500)),
    vertical: vertical === "UNDEFINED" ? null : vertical,
    profile_picture_url: shortened(profile.profile_picture_url, 2000)
  }
}

const qualities: { readonly [rating: string]: ChatAppQuality } = { GREEN: "green", YELLOW: "yellow", RED: "red" }

const ofStatus: { readonly [status: string]: ChatAppHealth } = {
  PENDING: {
    issue: "The provider is still setting the number up.",
    fix: "Wait some minutes; if it stays so, open a support request."
  },
  FLAGGED: {
    issue: "The number's quality is low, and the provider may restrict it.",
    fix: "Stop opening conversations for some days, so that the quality rating recovers."
  },
  RESTRICTED: {
    issue: "The provider restricted how many conversations the number may open.",
    fix: "Wait until the restriction ends, and meanwhile only answer those who write first."
  },
  RATE_LIMITED: {
    issue: "The number has reached what the provider lets it send for now.",
    fix: "Wait some hours; messages go on by themselves."
  },
  BANNED: {
    issue: "The provider banned the number.",
    fix: "Request a review on the account quality page of the provider's business manager, or register another number."
  },
  DISCONNECTED: {
    issue: "The number is not connected to the provider.",
    fix: "Open a support request: the number has to be registered again."
  },
  UNVERIFIED: {
    issue: "The number has not been verified with the provider.",
    fix: "Verify it in the provider's business manager with the code it sends."
  },
  MIGRATED: {
    issue: "The number was moved to another account at the provider.",
    fix: "Move it back, or register another number."
  },
  DELETED: { issue: "The number was deleted at the provider.", fix: "Register another number." }
}

/** Returns what blocks the number, with the provider's own diagnosis if it gives one. */
const healthOf = (number: PhoneNumber): ChatAppHealth | null => {
  const faulty = number.health_status?.entities?.find(({ can_send_message }) => can_send_message !== "AVAILABLE")
  const error = faulty?.errors?.[0]
  const issue = shortened(error?.error_description ?? faulty?.additional_info?.[0], 400)
  if (issue !== null) {
    return {
      issue,
      fix: shortened(error?.possible_solution, 400) ?? "Follow the provider's note, or open a support request."
    }
  }
  return ofStatus[number.status ?? ""] ?? null
}

const blockingStatuses = new Set(["BANNED", "DISCONNECTED", "UNVERIFIED", "MIGRATED", "DELETED", "PENDING"])

const digits = (display: string | undefined): string | null => {
  const digits = (display ?? "").replace(/\D/g, "")
  return digits.length >= 6 && digits.length <= 15 ? `+${digits}` : null
}

export const snapshotOf = (number: PhoneNumber, profile: ChatAppProfile): LineSnapshot => ({
  phone: digits(number.display_phone_number),
  displayName: shortened(number.verified_name, 200),
  quality: qualities[number.quality_rating ?? ""] ?? "unknown",
  messagingLimit: shortened(number.messaging_limit_tier, 40),
  isBlocked: number.health_status?.can_send_message === "BLOCKED" || blockingStatuses.has(number.status ?? ""),
  health: healthOf(number),
  profile,
  providerAccountId:
    number.health_status?.entities?.find(({ entity_type }) => entity_type === "WABA")?.id?.slice(0, 100) ?? null
})

export const decodeNumber = Schema.decodeUnknownOption(PhoneNumber)
export const decodeProfiles = (json: unknown): ChatAppProfile =>
  Option.match(Schema.decodeUnknownOption(Profiles)(json), { onNone: () => emptyProfile, onSome: profileOf })
