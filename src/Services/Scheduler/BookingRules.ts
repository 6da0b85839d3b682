import type { Timestamp } from "../Core/Timestamp.ts"
import type { MeetingView } from "../Meetings/Meetings.ts"

/** A booking as the scheduler has it now. */
export interface Booking {
  /** The address of whoever booked, which names the booking. */
  readonly inviteeUri: string
  readonly eventUri: string
  readonly isActive: boolean
  /** Of a booking that was moved: the one in its place, and the one it took the place of. */
  readonly newInvitee: string | undefined
  readonly oldInvitee: string | undefined
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  /** Whether whoever was to be met called it off, rather than the account's side. */
  readonly isCancelledByInvitee: boolean
  readonly cancelReason: string | undefined
  /** Sorts as text: of two readings the greater one is the later state. */
  readonly version: string
}

export type BookingChange = "nothing" | "book" | "follow_old" | "follow" | "cancel" | "cancel_old"

type Standing = Pick<MeetingView, "starts_at" | "ends_at" | "status"> | undefined

const isToCome = (meeting: Standing): boolean => meeting?.status === "scheduled" || meeting?.status === "confirmed"

/**
 * What a booking means for the account's meetings: `own` is the meeting of this booking, `old` of the last one before
 * it, of those that it took the place of, that is a meeting here. The same reading twice changes nothing, and in whichever order the halves of a move are heard, there is
 * one meeting.
 */
export const bookingChange = (
  booking: Booking,
  { old, own }: { readonly own: Standing; readonly old: Standing }
): BookingChange => {
  if (!booking.isActive) {
    // Of a booking that was moved the one in its place is looked at.
    if (booking.newInvitee !== undefined) return "nothing"
    if (own !== undefined) return isToCome(own) ? "cancel" : "nothing"
    // Moved and called off before anybody looked.
    return isToCome(old) ? "cancel_old" : "nothing"
  }
  if (own !== undefined) {
    const isElsewhere = own.starts_at !== booking.startsAt || own.ends_at !== booking.endsAt
    return isToCome(own) && isElsewhere ? "follow" : "nothing"
  }
  return isToCome(old) ? "follow_old" : "book"
}
