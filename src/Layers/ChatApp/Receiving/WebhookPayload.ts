import { Option, Schema } from "effect"
import type { ChatAppPriceCategory } from "../../../Services/ChatApp/ChatApp.ts"
import type { ChatAppEvent, ReceivedMessage, StateHeard } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"
import { failureOf } from "../Graph/GraphErrors.ts"

/** Characters of one message; the provider's own limit is below it. */
const longestBody = 10_000
/** Events of one delivery; the provider sends up to a thousand. */
const maximumEvents = 5000

const Id = Schema.String.pipe(Schema.pattern(/^[\x21-\x7e]{1,300}$/))
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true, exact: true })
const text = optional(Schema.String)
const list = optional(Schema.Array(Schema.Unknown))

/** A detail without which a message is still one, so that a strange one does not lose it. */
const detail = Schema.optional(Schema.Unknown)

const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && Number.isSafeInteger(seconds) ? seconds : undefined
}

const Delivery = Schema.Struct({ entry: list })
const Entry = Schema.Struct({ changes: list })
const Change = Schema.Struct({
  field: Schema.Literal("messages"),
  value: Schema.Struct({ metadata: Schema.Struct({ phone_number_id: Id }), messages: list, statuses: list })
})

const File = Schema.Struct({ id: Id, caption: text, filename: text })

const Message = Schema.Struct({
  id: Id,
  from: Schema.String.pipe(Schema.pattern(/^\d{5,20}$/)),
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
const decodeContext = Schema.decodeUnknownOption(Schema.Struct({ id: Id }))

const Status = Schema.Struct({
  id: Id,
  status: Schema.Literal("sent", "delivered", "read", "failed"),
  timestamp: detail,
  biz_opaque_callback_data: detail,
  pricing: optional(Schema.Struct({ billable: optional(Schema.Boolean), category: text })),
  errors: optional(Schema.Array(Schema.Struct({ code: Schema.Number })))
})

const fileKinds = ["image", "video", "audio", "document", "sticker"] as const

/** What the person said, in words; undefined for what says nothing, such as a reaction that was taken back. */
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
    // What the provider does not hand on, such as a poll: something was said all the same.
    case "unsupported":
    case "order":
      return "[unsupported message]"
    default:
      return undefined
  }
}

const receivedOf = (lineId: string, message: Message): ReceivedMessage | undefined => {
  const kind = fileKinds.find((candidate) => candidate === message.type)
  const file = kind === undefined ? undefined : message[kind]
  const body = clip(tidyText(file?.caption ?? wordsOf(message) ?? ""), longestBody).trim()
  if (body === "" && file === undefined) return undefined
  return {
    _tag: "Received",
    lineId,
    waId: message.from,
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

const heardOf = (lineId: string, status: typeof Status.Type): StateHeard => {
  const reference = status.biz_opaque_callback_data
  const { billable, category } = status.pricing ?? {}
  const known = category === undefined ? undefined : categories[category.toLowerCase()]
  return {
    _tag: "State",
    lineId,
    providerMessageId: status.id,
    reference: isReference(reference) ? reference : undefined,
    state: status.status,
    timestamp: secondsOf(status.timestamp),
    pricing: billable === undefined || known === undefined ? undefined : { isBillable: billable, category: known },
    failure: status.status === "failed" ? failureOf(status.errors?.[0]?.code) : undefined
  }
}

const decode = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownOption(schema)
const decodeDelivery = decode(Delivery)
const decodeEntry = decode(Entry)
const decodeChange = decode(Change)
const decodeMessage = decode(Message)
const decodeStatus = decode(Status)

const each = <A>(
  items: ReadonlyArray<unknown> | undefined,
  read: (item: unknown) => Option.Option<A>
): ReadonlyArray<A> => (items ?? []).flatMap((item) => Option.toArray(read(item)))

/**
 * What a delivery of the provider tells, in its order, messages before states. Whatever in it is not understood is left
 * out: the provider adds kinds of messages without notice, and would repeat for days what is refused.
 */
export const eventsOf = (payload: unknown): ReadonlyArray<ChatAppEvent> => {
  const entries = Option.match(decodeDelivery(payload), { onNone: () => [], onSome: ({ entry }) => entry ?? [] })
  const changes = each(entries, decodeEntry).flatMap((entry) => each(entry.changes, decodeChange))
  return changes
    .flatMap(({ value }): ReadonlyArray<ChatAppEvent> => {
      const lineId = value.metadata.phone_number_id
      return [
        ...each(value.messages, decodeMessage).flatMap((message) => receivedOf(lineId, message) ?? []),
        ...each(value.statuses, decodeStatus).map((status) => heardOf(lineId, status))
      ]
    })
    .slice(0, maximumEvents)
}
