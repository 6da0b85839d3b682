import { fromMillis, type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { HashedPerson } from "./AudienceMembers.ts"

export const conversionKinds = ["meeting", "won"] as const
/** The events of a lead that are reported to the ads platform: an agreed meeting, or a won deal. */
export type ConversionKind = (typeof conversionKinds)[number]

/** How the platform counts each kind. The names appear in its reports. */
export const conversionActions: {
  readonly [K in ConversionKind]: { readonly name: string; readonly category: string }
} = {
  meeting: { name: "Meeting booked", category: "BOOK_APPOINTMENT" },
  won: { name: "Deal won", category: "CONVERTED_LEAD" }
}

/** The platform does not attribute conversions to clicks older than this. */
export const conversionDays = 90

export interface Conversion {
  /** Unique per meeting, and per lead that was won. */
  readonly event: string
  readonly kind: ConversionKind
  readonly happenedAt: Timestamp
  readonly valueBrl: number | null
  readonly person: HashedPerson
}

/** The platform uses this id to count a repeated report only once. */
export const transactionIdOf = (accountId: number, { event }: Conversion): string =>
  `${accountId}-${event.replaceAll(" ", "-")}`

/** The value of an event for the platform. Omitted if the deal has no value. */
export const valueOf = ({ valueBrl }: Conversion) =>
  valueBrl === null || !(valueBrl > 0) ? {} : { currency: "BRL", conversionValue: Math.round(valueBrl * 100) / 100 }

/** In UTC, whole seconds. */
export const eventTimestamp = ({ happenedAt }: Conversion): Timestamp => fromMillis(toMillis(happenedAt))
