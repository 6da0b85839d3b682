import { nextInWindow } from "../Core/LocalTime.ts"
import { type AccountPlace, type LeadZoneFacts, leadZoneOf, windowInAllZones } from "../Zones/LeadZone.ts"
import { holidaysOf } from "./Holidays.ts"

/**
 * `millis` if a lead may be contacted at that time, otherwise the start of the next workday's window. Weekends and
 * holidays are skipped. For a lead that may be in several zones, the window must be open in all of them.
 */
export const nextContactTime = (
  millis: number,
  lead: LeadZoneFacts,
  account: AccountPlace,
  hours: { readonly startHour: number; readonly endHour: number }
): number => {
  const place = leadZoneOf(lead, account, millis)
  const window = { ...hours, isClosed: holidaysOf(lead, place.zone) }
  return nextInWindow(millis, place.zone, windowInAllZones(place, window, millis))
}
