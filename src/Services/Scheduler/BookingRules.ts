import type { Timestamp } from "../Core/Timestamp.ts"
import type { MeetingView } from "../Meetings/Meetings.ts"

/** The current state of a booking at the scheduler. */
export interface Booking {
  /** The URI of the invitee, which identifies the booking. */
  readonly inviteeUri: string
  readonly eventUri: string
  readonly isActive: boolean
  /** For a moved booking: the one that replaced it, and the one that it replaced. */
  readonly newInvitee: string | undefined
  readonly oldInvitee: string | undefined
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  /** Whether the invitee cancelled it, as opposed to the account. */
  readonly isCancelledByInvitee: boolean
  readonly cancelReason: string | undefined
  /** Sorts as text. Of two versions, the greater is more recent. */
  readonly version: string
}

export type BookingChange = "nothing" | "book" | "follow_old" | "follow" | "cancel" | "cancel_old"

type Standing = Pick<MeetingView, "starts_at" | "ends_at" | "status"> | undefined

const isToCome = (meeting: Standing): boolean => meeting?.status === "scheduled" || meeting?.status === "confirmed"

/**
 * The change that a booking causes in the account's meetings. `own` is this booking's meeting. `old` is the meeting of
 * the most recent booking that it replaced, if there is one. Repeated readings change nothing, and a moved booking
 * results in one meeting, in whichever order its two records are read.
 */
export const bookingChange = (
  booking: Booking,
  { old, own }: { readonly own: Standing; readonly old: Standing }
): BookingChange => {
  if (!booking.isActive) {
    // The booking that replaced this one is handled instead.
    if (booking.newInvitee !== undefined) return "nothing"
    if (own !== undefined) return isToCome(own) ? "cancel" : "nothing"
    // It was moved and cancelled between two readings.
    return isToCome(old) ? "cancel_old" : "nothing"
  }
  if (own !== undefined) {
    const isElsewhere = own.starts_at !== booking.startsAt || own.ends_at !== booking.endsAt
    return isToCome(own) && isElsewhere ? "follow" : "nothing"
  }
  return isToCome(old) ? "follow_old" : "book"
}
