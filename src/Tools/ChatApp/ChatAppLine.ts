import { Effect, Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { ChatAppLines, chatAppLineProvisioningKind, type ProfileChanges } from "../../Services/ChatApp/ChatAppLines.ts"
import {
  ChatAppLineView,
  ChatAppSpend,
  chatAppVerticals,
  RegisteredChatAppLine
} from "../../Services/ChatApp/ChatAppModel.ts"
import { readPicture } from "../../Services/ChatApp/ChatAppPicture.ts"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { fetchReasons } from "../../Services/Outbound/FetchedUrl.ts"
import { outboundTransients } from "../../Services/Outbound/OutboundHttp.ts"
import { emailProblems, normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { normaliseWebsite, websiteProblems } from "../../Services/Text/Web/WebAddress.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const getChatAppLine = Tool.make("get_chatapp_line", {
  kind: "read",
  openWorld: true,
  description:
    "Shows the account's messaging-app line as the provider sees it now: whether it is ready, its number, quality and profile, a pending link to connect a number, any health issue with what resolves it, and what was spent today and this month against the caps.",
  parameters: {},
  returns: ChatAppLineView,
  errors: { Transient: [...outboundTransients, "provider_answer_unreadable", "provider_unavailable"] },
  example: {},
  run: () => Effect.flatMap(ChatAppLines, (lines) => lines.get)
})

const registerChatAppLine = Tool.make("register_chatapp_line", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Sets up the account's messaging-app line, which takes some minutes: poll get_chatapp_line. An account has one line; where there is one, it is answered as it is. A failed one is tried again.",
  parameters: {
    use_own_number: Param.withDefault(
      Param.boolean(
        "True: connect a number of your own through the link that get_chatapp_line then shows. False: get a dedicated number."
      ),
      false
    )
  },
  returns: RegisteredChatAppLine,
  requiresPaidPlan: true,
  runsInBackground: true,
  example: { use_own_number: false },
  run: Tool.via(ChatAppLines, (lines, { use_own_number }) => lines.register({ usesOwnNumber: use_own_number }))
})

const largestCap = 1_000_000_000

/** Converts a cap to whole cents. `null` removes the cap. */
const capOf = (parameter: string, brl: number): Either.Either<number | null, Refused> => {
  if (brl <= 0) return Either.right(null)
  const cents = Math.round(brl * 100)
  if (brl > largestCap) {
    return Either.left(
      refused("out_of_range", `${parameter} is too large.`, `Send at most ${largestCap}, or 0 for no cap.`, {
        parameter
      })
    )
  }
  return cents === 0 || Math.abs(cents / 100 - brl) > 1e-9
    ? Either.left(
        refused("not_whole_cents", `${parameter} has fractions of a cent.`, "Send at most two decimals.", { parameter })
      )
    : Either.right(cents / 100)
}

const pauses =
  "At the cap, messages that open a conversation wait; replies to leads who wrote first and e-mail go on. 0 or less removes the cap."

const setDailyCap = Tool.make("set_chatapp_daily_cost_cap", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: `Sets how much paid messages may cost per day of the account's calendar. ${pauses}`,
  parameters: { daily_cap_brl: Param.number("The cap in BRL, to the cent; 0 or less removes it.") },
  returns: ChatAppSpend,
  errors: { Refused: ["not_whole_cents", "out_of_range"] },
  example: { daily_cap_brl: 50 },
  run: Effect.fnUntraced(function* ({ daily_cap_brl }) {
    const lines = yield* ChatAppLines
    return yield* lines.setCap("daily", yield* capOf("daily_cap_brl", daily_cap_brl))
  })
})

const setMonthlyCap = Tool.make("set_chatapp_monthly_cost_cap", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: `Sets how much paid messages may cost per calendar month; openings that it keeps back wait for the 1st. ${pauses}`,
  parameters: { monthly_cap_brl: Param.number("The cap in BRL, to the cent; 0 or less removes it.") },
  returns: ChatAppSpend,
  errors: { Refused: ["not_whole_cents", "out_of_range"] },
  example: { monthly_cap_brl: 800 },
  run: Effect.fnUntraced(function* ({ monthly_cap_brl }) {
    const lines = yield* ChatAppLines
    return yield* lines.setCap("monthly", yield* capOf("monthly_cap_brl", monthly_cap_brl))
  })
})

const setProfilePicture = Tool.make("set_chatapp_line_profile_picture", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Sets the picture that people see beside the line's messages: a square JPG or PNG of at least 192x192 pixels and under 5 MB, from an uploaded file (best) or a public address. The line must be live.",
  parameters: {
    image_url: Param.optional(Param.text("Public https address of the picture.", { maxLength: 2048, format: "uri" })),
    customer_file_id: Param.optional(Param.id(CustomerFileId, "The picture, as upload_customer_file answered it."))
  },
  returns: ChatAppLineView,
  errors: {
    NotFound: ["customer_file_not_found"],
    Refused: [
      ...fetchReasons.Refused,
      "chatapp_line_not_live",
      "file_too_large",
      "media_gone",
      "one_source_required",
      "picture_format_not_accepted",
      "picture_not_square",
      "picture_too_large",
      "picture_too_small",
      "provider_refused"
    ],
    Transient: [...fetchReasons.Transient, "provider_answer_unreadable", "provider_unavailable"]
  },
  transaction: "several",
  example: { customer_file_id: 1 },
  run: Effect.fnUntraced(function* ({ customer_file_id, image_url }) {
    const lines = yield* ChatAppLines
    yield* lines.requireLive
    return yield* lines.setPicture(yield* readPicture({ imageUrl: image_url, customerFileId: customer_file_id }))
  })
})

const shownWebsites = 2

const problem = (parameter: string, reason: string, error: string, detail: string) =>
  Either.left(refused(reason, error, detail, { parameter }))

const websitesOf = (list: ReadonlyArray<string> | undefined) =>
  list === undefined
    ? Either.right(undefined)
    : Either.all(list.slice(0, shownWebsites).map((website) => normaliseWebsite(website))).pipe(
        Either.mapLeft(({ message, reason }) =>
          refused(reason, message, "Correct websites, or leave it out.", { parameter: "websites" })
        )
      )

const emailOf = (text: string | undefined): Either.Either<string | null | undefined, Refused> => {
  if (text === undefined) return Either.right(undefined)
  if (text.trim() === "") return Either.right(null)
  return Either.flatMap(
    Either.mapLeft(normaliseEmail(text), ({ message, reason }) =>
      refused(reason, message, "Correct email, or leave it out.", { parameter: "email" })
    ),
    (email) =>
      email.length > 128
        ? problem("email", "text_too_long", "email is longer than 128 characters.", "Send a shorter address.")
        : Either.right(email)
  )
}

const verticalOf = (text: string | undefined): Either.Either<string | undefined, Refused> =>
  text === undefined || chatAppVerticals.some((vertical) => vertical === text)
    ? Either.right(text)
    : Either.left(
        refused(
          "value_not_accepted",
          "vertical does not take this value.",
          `Accepted values: ${chatAppVerticals.join(", ")}.`,
          {
            parameter: "vertical",
            accepted_values: chatAppVerticals
          }
        )
      )

/** A blank text clears the field. */
const clearing = (text: string | undefined): string | null | undefined => (text?.trim() === "" ? null : text?.trim())

const nothingToChange = refused(
  "nothing_to_change",
  "No field of the profile was given.",
  "Send at least one of about, description, address, email, websites and vertical."
)

const updateProfile = Tool.make("update_chatapp_line_profile", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Changes the business profile that people see on the messaging app. Only the fields that are sent change; an empty text clears one, but about cannot be empty. The line must be live. The display name is not set here.",
  parameters: {
    about: Param.optional(Param.text("One line about the business.", { maxLength: 139, minLength: 1 })),
    description: Param.optional(Param.text("What the business does.", { maxLength: 512 })),
    address: Param.optional(Param.text("The postal address.", { maxLength: 256 })),
    email: Param.optional(Param.text("The address for questions.", { maxLength: 254 })),
    websites: Param.optional(Param.words("Comma-separated addresses; the first two are shown.")),
    vertical: Param.optional(
      Param.text(
        "The line of business, for example PROF_SERVICES, RETAIL, EDU, HEALTH, FINANCE, RESTAURANT or OTHER.",
        {
          maxLength: 40
        }
      )
    )
  },
  returns: ChatAppLineView,
  errors: {
    Refused: [
      ...emailProblems,
      ...websiteProblems,
      "chatapp_line_not_live",
      "nothing_to_change",
      "provider_refused",
      "value_not_accepted"
    ],
    Transient: [...outboundTransients, "provider_answer_unreadable", "provider_unavailable"]
  },
  transaction: "several",
  example: { about: "Software para clínicas", websites: "https://ondas.example", vertical: "PROF_SERVICES" },
  run: Effect.fnUntraced(function* (args) {
    const lines = yield* ChatAppLines
    const changes: ProfileChanges = {
      about: args.about?.trim(),
      description: clearing(args.description),
      address: clearing(args.address),
      email: yield* emailOf(args.email),
      websites: yield* websitesOf(args.websites),
      vertical: yield* verticalOf(args.vertical)
    }
    if (Object.values(changes).every((value) => value === undefined)) return yield* nothingToChange
    return yield* lines.updateProfile(changes)
  })
})

export const ChatAppLineGroup = Tool.group(
  "Messaging-app line",
  "The account's number on the messaging app: its state, what people see of it, and what it may cost.",
  [getChatAppLine, registerChatAppLine, setDailyCap, setMonthlyCap, setProfilePicture, updateProfile],
  [chatAppLineProvisioningKind]
)
