import { Effect, Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { notLongPast } from "../../Services/Core/PastDates.ts"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { Channel, LeadId } from "../../Services/Leads/Ids.ts"
import { LeadSchedule, RescheduledLeads } from "../../Services/Outreach/LeadSchedule.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const maximumLeadIds = 2000

const unreadable = refused(
  "lead_ids_unreadable",
  "lead_ids is not a list of lead ids.",
  "Send ids separated by commas, for example 12,15,31.",
  { parameter: "lead_ids" }
)
const tooMany = refused(
  "too_many_lead_ids",
  `lead_ids names more than ${maximumLeadIds} leads.`,
  `Send at most ${maximumLeadIds} ids in one call.`,
  { parameter: "lead_ids", maximum: maximumLeadIds }
)
const noneSelected = refused(
  "no_leads_selected",
  "The call selects no leads.",
  "Send lead_ids, imported_from_file_id or both."
)
const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send next_touch_date, preferred_channel or both."
)

const leadIdsIn = (list: string): Either.Either<ReadonlyArray<LeadId>, Refused> => {
  if (list.trim() === "") return Either.right([])
  const ids: Array<LeadId> = []
  for (const item of list.split(",")) {
    const text = item.trim()
    const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isSafeInteger(id)) return Either.left(unreadable)
    ids.push(LeadId.make(id))
  }
  return ids.length > maximumLeadIds ? Either.left(tooMany) : Either.right(ids)
}

export const rescheduleLeadTouch = Tool.make("reschedule_lead_touch", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Moves the next touch of leads, or changes the channel they are contacted by. Leads come by id, by the file they were imported from, or both. Only leads that prospecting works are updated; the others are reported with the reason. Of an import of more than 5000 leads a background job does it: then job_id says which one, and a notification how it ended.",
  parameters: {
    lead_ids: Param.optional(Param.text(`Lead ids separated by commas, at most ${maximumLeadIds}.`)),
    imported_from_file_id: Param.optional(
      Param.id(CustomerFileId, "All leads that imports of this file created; the file as import_leads took it.")
    ),
    next_touch_date: Param.optional(
      Param.instant(
        "When the leads are contacted next; the current time means as soon as possible. A date more than a day in the past is refused. With it the cadence starts again; without it each lead keeps its schedule."
      )
    ),
    preferred_channel: Param.optional(
      Param.oneOf(Channel.literals, "The channel to prefer from now on, for each lead that can be reached by it.")
    )
  },
  returns: RescheduledLeads,
  errors: {
    NotFound: ["customer_file_not_found"],
    Refused: [
      "date_in_the_past",
      "lead_ids_unreadable",
      "no_leads_selected",
      "nothing_to_change",
      "too_many_jobs",
      "too_many_lead_ids"
    ]
  },
  example: { lead_ids: "1,2", next_touch_date: "2027-01-15T13:00:00Z" },
  run: Effect.fnUntraced(function* (args) {
    const schedule = yield* LeadSchedule
    const leadIds = yield* leadIdsIn(args.lead_ids ?? "")
    if (leadIds.length === 0 && args.imported_from_file_id === undefined) return yield* noneSelected
    if (args.next_touch_date === undefined && args.preferred_channel === undefined) return yield* nothingToChange
    yield* notLongPast("next_touch_date", args.next_touch_date)
    return yield* schedule.reschedule({
      leadIds,
      importedFrom: args.imported_from_file_id,
      nextTouchAt: args.next_touch_date,
      preferredChannel: args.preferred_channel
    })
  })
})
