import type { RoomRecords } from "../support/leads/RoomRecords.ts"

/** Events are the provider's: no tool takes the id of a row of ours. */
export const records: RoomRecords = {
  neverOfLead: [
    "calendar_event.*",
    "calendar_event_name.*",
    "calendar_mirror.*",
    "meeting_invitation.*",
    "sandbox_calendar.*",
    "sandbox_calendar_channel.*",
    "sandbox_calendar_event.event_id"
  ]
}
