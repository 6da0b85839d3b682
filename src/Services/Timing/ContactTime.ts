import { nextInWindow } from "../Core/LocalTime.ts"
import { type AccountPlace, type LeadZoneFacts, leadZoneOf, windowInAllZones } from "../Zones/LeadZone.ts"
import { holidaysOf } from "./Holidays.ts"

/**
 * `millis` if a lead may be contacted then on its own clocks, else the next workday's opening. No holidays, no weekends.
 * A lead that may live in several zones is contacted while the window is open in all of them, as its touches are.
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
