import { Effect } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { say } from "../../Services/Messages/Messages.ts"
import { spokenTime } from "../../Services/Text/SpokenTime.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"

/** Notes on a meeting for its owner, in the account's language, with times in its zone. */
export interface MeetingRecords {
  readonly moved: (how: "moved_by_lead" | "moved_in_calendar" | "moved_where_booked", from: Timestamp) => string
  readonly cancelled: (reason: string) => string
  readonly calledOffByLead: string
  /** Returns the storyboard to render, and whether it differs from the previous video's. */
  readonly calledOffByUs: (startsAt: Timestamp, reason: string | undefined) => ReadonlyArray<string>
}

/** The notes of the caller's account. */
export const makeMeetingRecords = Effect.map(makeOwnerLocale, (localeOf) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const { language, zone } = yield* localeOf(accountId)
    const records: MeetingRecords = {
      moved: (how, from) => say(language, `meetings.records.${how}`, { when: spokenTime(from, zone, language) }),
      cancelled: (reason) => say(language, "meetings.records.cancelled", { reason }),
      calledOffByLead: say(language, "meetings.records.called_off_by_lead"),
      calledOffByUs: (startsAt, reason) => [
        say(language, "meetings.records.called_off_by_us", { when: spokenTime(startsAt, zone, language) }),
        ...(reason === undefined ? [] : [say(language, "meetings.records.reason", { reason })])
      ]
    }
    return records
  })
)
