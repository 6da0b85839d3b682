import { nextInWindow } from "../Core/LocalTime.ts"
import { type AccountPlace, type LeadZoneFacts, leadZoneOf } from "../Zones/LeadZone.ts"
import { holidaysOf } from "./Holidays.ts"

/** `millis` if a lead may be contacted then on its own clocks, else the next workday's opening. No holidays, no weekends. */
export const nextContactTime = (
  millis: number,
  lead: LeadZoneFacts,
  account: AccountPlace,
  hours: { readonly startHour: number; readonly endHour: number }
): number => {
  const { zone } = leadZoneOf(lead, account, millis)
  return nextInWindow(millis, zone, { ...hours, isClosed: holidaysOf(lead, zone) })
}
