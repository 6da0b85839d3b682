import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { AccountProfile } from "../../Services/Accounts/AccountProfile.ts"
import {
  AccountSettings,
  EmailSettings,
  emailOf,
  languageKeyOf,
  NotificationEmails,
  nameOf,
  notificationEmailsOf,
  Preferences,
  TaxInfo,
  TimeZoneSettings,
  taxChangesOf
} from "../../Services/Accounts/AccountSettings.ts"
import { handleOf } from "../../Services/Accounts/Handle.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { findCities, maximumCities, stateOf } from "../../Services/Reference/Cities.ts"
import { AccountUsage, AccountUsageView } from "../../Services/Reports/AccountUsage.ts"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { setupCustomDomain, setupEmailSubdomain } from "./SenderDomains.ts"

const nothingToChange = (detail: string) => refused("nothing_to_change", "The call changes nothing.", detail)

const currentEmailSettings = Effect.flatMap(AccountSettings, ({ email }) => email)
const currentNotificationEmails = Effect.flatMap(AccountSettings, (settings) => settings.notificationEmails)
const currentPreferences = Effect.flatMap(AccountSettings, (settings) => settings.preferences)
const currentProfile = Effect.flatMap(AccountProfile, ({ get }) => get)
const currentCallPermission = Effect.flatMap(AccountSettings, (settings) =>
  Effect.map(settings.agentCallPermission(undefined), (enabled) => ({ enabled }))
)

const getEmailSettings = Tool.make("get_email_settings", {
  kind: "read",
  openWorld: false,
  description:
    "Answers how the account's mail looks: its full address on the platform, handle and display name, and which inbound mail its owner is told of at once.",
  parameters: {},
  returns: EmailSettings,
  example: {},
  run: Tool.via(AccountSettings, (settings) => settings.email)
})

const updateEmailSettings = Tool.make("update_email_settings", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets the handle (the part of the platform address before the @) or the display name; at least one of them. Accents, spaces and characters that an address cannot have are taken out of the handle. A handle that is given up is kept back for 90 days, so that nobody else receives its replies.",
  parameters: {
    handle: Param.optional(
      Param.text(
        "The new handle: 3 to 20 letters and digits once invalid characters are out; unique among all accounts.",
        {
          minLength: 1,
          maxLength: 20
        }
      )
    ),
    display_name: Param.optional(
      Param.text("The From name that recipients see. Blank: the account's own name.", { maxLength: 120 })
    )
  },
  returns: EmailSettings,
  errors: {
    Refused: [
      "handle_reserved",
      "handle_taken",
      "handle_too_long",
      "handle_too_short",
      "name_unsuitable",
      "nothing_to_change"
    ]
  },
  settings: () => currentEmailSettings,
  example: { display_name: "Vendas da Souza" },
  run: Effect.fnUntraced(function* ({ display_name, handle }) {
    if (display_name === undefined && handle === undefined) {
      return yield* nothingToChange("Send handle, display_name or both.")
    }
    const wanted = handle === undefined ? undefined : yield* handleOf(handle)
    const name =
      display_name === undefined
        ? undefined
        : display_name.trim() === ""
          ? null
          : yield* nameOf("display_name", display_name)
    const settings = yield* AccountSettings
    return yield* settings.setEmail({ handle: wanted, displayName: name })
  })
})

const setEmailNotificationInstructions = Tool.make("set_email_notification_instructions", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Says in words which inbound mail the owner is told of at once, for example that of one customer, or anything about invoices. A blank text returns to the platform's own choice.",
  parameters: { instructions: Param.text("The rules, in any language; blank clears them.", { maxLength: 4000 }) },
  returns: EmailSettings,
  settings: () => currentEmailSettings,
  example: { instructions: "Tell me at once of mail about contracts or invoices." },
  run: Effect.fnUntraced(function* ({ instructions }) {
    const settings = yield* AccountSettings
    return yield* settings.setNotificationInstructions(instructions.trim() === "" ? null : instructions.trim())
  })
})

const getGeneralSettings = Tool.make("get_general_settings", {
  kind: "read",
  openWorld: false,
  description:
    "Answers the account's general settings, as they follow from its switches: who is called, whether messages are sent autonomously, the account's e-mail address and its offset from UTC.",
  parameters: {},
  returns: Schema.Struct({
    voice_mode: Schema.Literal("off", "prospecting", "owner", "prospecting_and_owner").annotations({
      description:
        "Whom the platform may call: leads (set_voice_calling_active), the account itself (set_agent_phone_call_permission)."
    }),
    autonomous_messages: Schema.Boolean.annotations({
      description: "Whether leads are approached without being asked to: prospecting is on and its mode is Active."
    }),
    account_email: Schema.NullOr(Schema.String),
    timezone_offset_utc_hours: Schema.Number
  }),
  errors: { Permanent: ["account_closed"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const settings = yield* AccountSettings
    const profile = yield* Effect.flatMap(AccountProfile, ({ get }) => get)
    const prospecting = yield* Effect.flatMap(ProspectingConfig, ({ get }) => get)
    const callsOwner = yield* settings.agentCallPermission(undefined)
    const callsLeads = prospecting.voice_calling_active
    return {
      voice_mode: callsLeads
        ? callsOwner
          ? ("prospecting_and_owner" as const)
          : ("prospecting" as const)
        : callsOwner
          ? ("owner" as const)
          : ("off" as const),
      autonomous_messages: prospecting.is_prospecting_active && prospecting.mode === "Active",
      account_email: profile.email,
      timezone_offset_utc_hours: profile.timezone_offset_utc_hours
    }
  })
})

const getNotificationEmails = Tool.make("get_notification_emails", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the addresses that notices of prospecting and the daily report go to, and whether each was confirmed by the link that was sent to it.",
  parameters: {},
  returns: NotificationEmails,
  example: {},
  run: Tool.via(AccountSettings, (settings) => settings.notificationEmails)
})

const updateNotificationEmails = Tool.make("update_notification_emails", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Replaces the list of addresses that notices and the daily report go to. The first also becomes the account's e-mail address. Each new address gets a link, and nothing else until it is followed.",
  parameters: { emails: Param.words("One to ten addresses, separated by commas.") },
  returns: NotificationEmails,
  errors: { Refused: [...emailProblems, "platform_address", "text_empty", "too_many_mails"] },
  settings: () => currentNotificationEmails,
  example: { emails: "owner@souza.example, sales@souza.example" },
  run: Effect.fnUntraced(function* ({ emails }) {
    const settings = yield* AccountSettings
    return yield* settings.setNotificationEmails(yield* notificationEmailsOf(emails))
  })
})

const setPersonalEmail = Tool.make("set_personal_email", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Sets the one address that belongs to the account itself. It gets a link, and no notices until that is followed. The list of notification addresses stays as it is: see update_notification_emails.",
  parameters: { email: Param.text("The address.", { minLength: 1, maxLength: 300 }) },
  returns: NotificationEmails,
  errors: { Refused: [...emailProblems, "platform_address", "too_many_mails"] },
  settings: () => currentNotificationEmails,
  example: { email: "owner@souza.example" },
  run: Effect.fnUntraced(function* ({ email }) {
    const settings = yield* AccountSettings
    return yield* settings.setPersonalEmail(yield* emailOf("email", email))
  })
})

const updateUserName = Tool.make("update_user_name", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Sets the name that the account goes by. Mail comes from it unless there is a display name.",
  parameters: { name: Param.text("The name.", { minLength: 1, maxLength: 120 }) },
  returns: Schema.Struct({ name: Schema.String }),
  errors: { Refused: ["name_unsuitable"] },
  settings: () => currentProfile,
  example: { name: "Souza Odontologia" },
  run: Effect.fnUntraced(function* ({ name }) {
    const settings = yield* AccountSettings
    return { name: yield* settings.setName(yield* nameOf("name", name)) }
  })
})

const updatePreferences = Tool.make("update_preferences", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets the language that the platform writes to the account in, and two switches that are stored for consoles; at least one of them.",
  parameters: {
    language_key: Param.optional(
      Param.text("Language and region, for example pt-BR, en-US or es-AR.", { minLength: 1, maxLength: 20 })
    ),
    show_on_website: Param.optional(Param.boolean("Whether the account may be named on the platform's website.")),
    push_notifications: Param.optional(Param.boolean("Whether consoles push notifications."))
  },
  returns: Preferences,
  errors: { Refused: ["language_not_supported", "nothing_to_change"] },
  settings: () => currentPreferences,
  example: { language_key: "pt-BR" },
  run: Effect.fnUntraced(function* ({ language_key, push_notifications, show_on_website }) {
    if (language_key === undefined && push_notifications === undefined && show_on_website === undefined) {
      return yield* nothingToChange("Send language_key, show_on_website or push_notifications.")
    }
    const settings = yield* AccountSettings
    return yield* settings.setPreferences({
      language_key: language_key === undefined ? undefined : yield* languageKeyOf(language_key),
      push_notifications,
      show_on_website
    })
  })
})

const setTimezone = Tool.make("set_timezone", {
  kind: "write",
  // The zone is derived from the caller's current hour, so the same call an hour later gives another zone.
  idempotent: false,
  openWorld: false,
  description:
    "Sets the account's time zone by the hour that its clocks show now. Where the account's country makes the zone certain, daylight saving is followed; else a fixed offset in whole hours holds, half hours rounded down.",
  parameters: { current_hour: Param.integer("The hour of the day there, 0 to 23.", { minimum: 0, maximum: 23 }) },
  returns: TimeZoneSettings,
  settings: () => currentProfile,
  example: { current_hour: 10 },
  run: Tool.via(AccountSettings, (settings, { current_hour }) => settings.setTimeZone(current_hour))
})

const updateTaxInfo = Tool.make("update_tax_info", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets what invoices are made out with. Only what is sent changes; a blank text clears. The tax document is stored sealed and answered masked.",
  parameters: {
    tax_name: Param.optional(Param.text("Name or company name.", { maxLength: 120 })),
    tax_document: Param.optional(
      Param.text("CPF (11 digits) or CNPJ (14 characters, the first 12 may be letters), without punctuation.", {
        maxLength: 50
      })
    ),
    street: Param.optional(Param.text("Street of the address.", { maxLength: 120 })),
    number: Param.optional(Param.text("House number.", { maxLength: 120 })),
    neighborhood: Param.optional(Param.text("Neighbourhood.", { maxLength: 120 })),
    cep: Param.optional(Param.text("Postal code: eight digits.", { maxLength: 20 })),
    municipality_code: Param.optional(
      Param.integer("Seven-digit IBGE code, as lookup_municipality_code answers it.", {
        minimum: 1_000_000,
        maximum: 9_999_999
      })
    ),
    financial_email: Param.optional(
      Param.text("Address that invoices go to as well; blank clears it.", { maxLength: 300 })
    )
  },
  returns: TaxInfo,
  errors: {
    Refused: [...emailProblems, "invalid_cep", "invalid_tax_document", "municipality_unknown", "nothing_to_change"]
  },
  example: { tax_name: "Souza Odontologia Ltda", tax_document: "11222333000181", municipality_code: 3_550_308 },
  run: Effect.fnUntraced(function* (asked) {
    if (Object.values(asked).every((value) => value === undefined)) {
      return yield* nothingToChange("Send at least one field.")
    }
    const settings = yield* AccountSettings
    return yield* settings.setTaxInfo(yield* taxChangesOf(asked))
  })
})

const setAgentPhoneCallPermission = Tool.make("set_agent_phone_call_permission", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Says whether the agent may call the account's own phones. Without enabled it only answers what holds. Calls to leads are set with set_voice_calling_active.",
  parameters: { enabled: Param.optional(Param.boolean("Whether it may; leave it out to ask only.")) },
  returns: Schema.Struct({ enabled: Schema.Boolean }),
  settings: () => currentCallPermission,
  example: { enabled: true },
  run: Effect.fnUntraced(function* ({ enabled }) {
    const settings = yield* AccountSettings
    return { enabled: yield* settings.agentCallPermission(enabled) }
  })
})

const municipalities = Schema.Array(
  Schema.Struct({
    municipality_code: Schema.Int.annotations({ description: "Seven digits, as update_tax_info takes them." }),
    name: Schema.String,
    state: Schema.String,
    state_name: Schema.String
  })
)

const lookupMunicipalityCode = Tool.make("lookup_municipality_code", {
  kind: "read",
  openWorld: false,
  description: `Finds the IBGE codes of Brazilian municipalities by name, whatever its case and accents: all of that name where several states have one, at most ${maximumCities}.`,
  parameters: {
    city_name: Param.text("The municipality's name.", { minLength: 1, maxLength: 200 }),
    state: Param.optional(Param.text("Two letters or the state's full name.", { maxLength: 60 }))
  },
  returns: Schema.Struct({ municipalities, total: Schema.Int }),
  errors: { Refused: ["state_unknown"] },
  example: { city_name: "bom jesus", state: "PI" },
  run: Effect.fnUntraced(function* ({ city_name, state }) {
    const wanted = state === undefined || state.trim() === "" ? undefined : stateOf(state)
    if (wanted === null) {
      return yield* refused(
        "state_unknown",
        "There is no Brazilian state of this name.",
        "Send two letters or the full name.",
        {
          parameter: "state"
        }
      )
    }
    const found = findCities(city_name, wanted)
    return {
      municipalities: found.cities.map(({ ibge_code, name, state, state_name }) => ({
        municipality_code: Number(ibge_code),
        name,
        state,
        state_name
      })),
      total: found.total
    }
  })
})

const getAccountUsage = Tool.make("get_account_usage", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Answers the plan with what it leaves out, this month's messages, calls, model tokens and costs by channel, the storage in use, which outside services are real and which only simulated, and how far each limit is used up, the fullest first.",
  parameters: {},
  returns: AccountUsageView,
  example: {},
  run: Tool.via(AccountUsage, (usage) => usage.get)
})

export const AccountSettingsGroup = Tool.group(
  "Account settings",
  "Who the account is, how it is written to, and what invoices need.",
  [
    getEmailSettings,
    updateEmailSettings,
    setEmailNotificationInstructions,
    getGeneralSettings,
    getNotificationEmails,
    updateNotificationEmails,
    setPersonalEmail,
    updateUserName,
    updatePreferences,
    setTimezone,
    lookupMunicipalityCode,
    updateTaxInfo,
    setAgentPhoneCallPermission,
    setupCustomDomain,
    setupEmailSubdomain,
    getAccountUsage
  ]
)
