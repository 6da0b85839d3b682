import { Option, Schema } from "effect"
import type { ChatAppPriceCategory } from "../../../Services/ChatApp/ChatApp.ts"
import type {
  ChatAppEvent,
  MarketingPreferenceReport,
  MessageStateReport,
  ReceivedMessage
} from "../../../Services/ChatApp/ChatAppMessages.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"
import { failureOf } from "../Graph/GraphErrors.ts"
import { lineNewsOf } from "./LineNewsPayload.ts"

/** The most characters of a message that are stored. The provider's limit is lower. */
const longestBody = 10_000
/** The most events of a delivery. The provider sends up to a thousand. */
const maximumEvents = 5000

const Id = Schema.String.pipe(Schema.pattern(/^[\x21-\x7e]{1,300}$/))
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true, exact: true })
const text = optional(Schema.String)
const list = optional(Schema.Array(Schema.Unknown))

/** An optional detail. An unexpected value must not invalidate the message. */
const detail = Schema.optional(Schema.Unknown)

const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && Number.isSafeInteger(seconds) ? seconds : undefined
}

const Delivery = Schema.Struct({ entry: list })
const Entry = Schema.Struct({ id: Schema.optional(Schema.Unknown), changes: list })
const Change = Schema.Struct({ field: Schema.String, value: Schema.Unknown })
const LineValue = Schema.Struct({
  metadata: Schema.Struct({ phone_number_id: Id }),
  messages: list,
  statuses: list,
  user_preferences: list,
  contacts: list
})

const WaId = Schema.String.pipe(Schema.pattern(/^\d{5,20}$/))
/** The country and the provider's identifier of the person: `BR.1502576394655843`. */
const UserId = Schema.String.pipe(Schema.pattern(/^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/))

/** People may hide their number. The contact then has an identifier only. */
const Contact = Schema.Struct({ wa_id: detail, user_id: detail })

const Preference = Schema.Struct({
  wa_id: detail,
  user_id: detail,
  category: text,
  value: Schema.Literal("stop", "resume"),
  timestamp: detail
})

const File = Schema.Struct({ id: Id, caption: text, filename: text })

const Message = Schema.Struct({
  id: Id,
  from: detail,
  from_user_id: detail,
  timestamp: detail,
  type: Schema.String,
  context: detail,
  text: optional(Schema.Struct({ body: Schema.String })),
  button: optional(Schema.Struct({ text })),
  interactive: optional(
    Schema.Struct({
      button_reply: optional(Schema.Struct({ title: text })),
      list_reply: optional(Schema.Struct({ title: text, description: text }))
    })
  ),
  reaction: optional(Schema.Struct({ emoji: text })),
  location: optional(Schema.Struct({ latitude: Schema.Number, longitude: Schema.Number, name: text, address: text })),
  contacts: optional(
    Schema.Array(
      Schema.Struct({
        name: optional(Schema.Struct({ formatted_name: text })),
        phones: optional(Schema.Array(Schema.Struct({ phone: text })))
      })
    )
  ),
  image: optional(File),
  video: optional(File),
  audio: optional(File),
  document: optional(File),
  sticker: optional(File)
})
type Message = typeof Message.Type
type Contact = typeof Contact.Type
const decodeWaId = Schema.decodeUnknownOption(WaId)
const decodeUserId = Schema.decodeUnknownOption(UserId)
const decodeContext = Schema.decodeUnknownOption(Schema.Struct({ id: Id }))

const Status = Schema.Struct({
  id: Id,
  status: Schema.Literal("sent", "delivered", "read", "failed"),
  timestamp: detail,
  recipient_user_id: detail,
  biz_opaque_callback_data: detail,
  pricing: optional(Schema.Struct({ billable: optional(Schema.Boolean), category: text })),
  errors: optional(Schema.Array(Schema.Struct({ code: Schema.Number })))
})

const fileKinds = ["image", "video", "audio", "document", "sticker"] as const

/** Returns the message as text. Undefined if it has none, such as a removed reaction. */
const wordsOf = (message: Message): string | undefined => {
  switch (message.type) {
    case "text":
      return message.text?.body
    case "button":
      return message.button?.text
    case "interactive": {
      const { button_reply, list_reply } = message.interactive ?? {}
      return button_reply?.title ?? list_reply?.title
    }
    case "reaction":
      return message.reaction?.emoji
    case "location": {
      const { address, latitude, longitude, name } = message.location ?? {}
      return latitude === undefined || longitude === undefined
        ? undefined
        : [name, address, `${latitude}, ${longitude}`].filter((part) => part !== undefined).join("\n")
    }
    case "contacts":
      return message.contacts
        ?.slice(0, 20)
        .map(({ name, phones }) =>
          [name?.formatted_name, ...(phones ?? []).slice(0, 5).map(({ phone }) => phone)]
            .filter((part) => part !== undefined)
            .join(" ")
        )
        .join("\n")
    // The provider does not forward some messages, such as polls, but the person did write.
    case "unsupported":
    case "order":
      return "[unsupported message]"
    default:
      return undefined
  }
}

const waIdOf = (value: unknown): string | undefined => Option.getOrUndefined(decodeWaId(value))
const userIdOf = (value: unknown): string | undefined => Option.getOrUndefined(decodeUserId(value))

/** A delivery's contact identifies the sender of messages that do not name one. */
const receivedOf = (lineId: string, message: Message, contact: Contact | undefined): ReceivedMessage | undefined => {
  const waId = waIdOf(message.from) ?? waIdOf(contact?.wa_id)
  const userId = userIdOf(message.from_user_id) ?? userIdOf(contact?.user_id)
  if (waId === undefined && userId === undefined) return undefined
  const kind = fileKinds.find((candidate) => candidate === message.type)
  const file = kind === undefined ? undefined : message[kind]
  const body = clip(tidyText(file?.caption ?? wordsOf(message) ?? ""), longestBody).trim()
  if (body === "" && file === undefined) return undefined
  return {
    _tag: "Received",
    lineId,
    waId,
    userId,
    providerMessageId: message.id,
    timestamp: secondsOf(message.timestamp),
    body,
    media:
      kind === undefined || file === undefined
        ? undefined
        : { id: file.id, type: kind, fileName: file.filename === undefined ? undefined : clip(file.filename, 500) },
    replyTo: Option.getOrUndefined(decodeContext(message.context))?.id
  }
}

const isReference = Schema.is(Schema.UUID)

const categories: { readonly [category: string]: ChatAppPriceCategory } = {
  marketing: "marketing",
  marketing_lite: "marketing",
  utility: "utility",
  authentication: "authentication",
  authentication_international: "authentication",
  service: "service",
  referral_conversion: "service"
}

const heardOf = (lineId: string, status: typeof Status.Type): MessageStateReport => {
  const reference = status.biz_opaque_callback_data
  const { billable, category } = status.pricing ?? {}
  const priceCategory = category === undefined ? undefined : categories[category.toLowerCase()]
  return {
    _tag: "State",
    lineId,
    providerMessageId: status.id,
    reference: isReference(reference) ? reference : undefined,
    state: status.status,
    timestamp: secondsOf(status.timestamp),
    pricing:
      billable === undefined || priceCategory === undefined
        ? undefined
        : { isBillable: billable, category: priceCategory },
    failure: status.status === "failed" ? failureOf(status.errors?.[0]?.code) : undefined,
    userId: userIdOf(status.recipient_user_id)
  }
}

const preferenceOf = (
  lineId: string,
  { category, timestamp, user_id, value, wa_id }: typeof Preference.Type
): MarketingPreferenceReport | undefined => {
  const [waId, userId] = [waIdOf(wa_id), userIdOf(user_id)]
  if (category !== "marketing_messages" || (waId === undefined && userId === undefined)) return undefined
  return { _tag: "Preference", lineId, waId, userId, isStopped: value === "stop", timestamp: secondsOf(timestamp) }
}

const decode = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownOption(schema)
const decodeDelivery = decode(Delivery)
const decodeEntry = decode(Entry)
const decodeChange = decode(Change)
const decodeLineValue = decode(LineValue)
const decodeContact = decode(Contact)
const decodePreference = decode(Preference)
const decodeId = decode(Id)
const decodeMessage = decode(Message)
const decodeStatus = decode(Status)

const each = <A>(
  items: ReadonlyArray<unknown> | undefined,
  read: (item: unknown) => Option.Option<A>
): ReadonlyArray<A> => (items ?? []).flatMap((item) => Option.toArray(read(item)))

const lineEventsOf = (change: unknown): ReadonlyArray<ChatAppEvent> => {
  const value = Option.getOrUndefined(decodeLineValue(change))
  if (value === undefined) return []
  const lineId = value.metadata.phone_number_id
  const contacts = each(value.contacts, decodeContact)
  const contact = contacts.length === 1 ? contacts[0] : undefined
  return [
    ...each(value.messages, decodeMessage).flatMap((message) => receivedOf(lineId, message, contact) ?? []),
    ...each(value.statuses, decodeStatus).map((status) => heardOf(lineId, status)),
    ...each(value.user_preferences, decodePreference).flatMap((preference) => preferenceOf(lineId, preference) ?? [])
  ]
}

/**
 * The events of a delivery in their order, messages before states. Unknown parts are ignored: the provider adds types
 * of messages without notice, and would repeat a refused delivery for days.
 */
export const eventsOf = (payload: unknown): ReadonlyArray<ChatAppEvent> => {
  const entries = Option.match(decodeDelivery(payload), { onNone: () => [], onSome: ({ entry }) => entry ?? [] })
  return each(entries, decodeEntry)
    .flatMap((entry) =>
      each(entry.changes, decodeChange).flatMap(({ field, value }): ReadonlyArray<ChatAppEvent> => {
        if (field === "messages" || field === "user_preferences") return lineEventsOf(value)
        const accountId = Option.getOrUndefined(decodeId(entry.id))
        return accountId === undefined ? [] : [lineNewsOf(accountId, field, value)].filter((news) => news !== undefined)
      })
    )
    .slice(0, maximumEvents)
}
