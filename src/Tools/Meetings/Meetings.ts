import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { notLongPast } from "../../Services/Core/PastDates.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { refusalsOf } from "../../Services/Leads/LeadPipeline.ts"
import { MeetingId } from "../../Services/Meetings/Ids.ts"
import { CancelledMeeting, Meetings, MeetingView, maximumMeetings } from "../../Services/Meetings/Meetings.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const meetingId = Param.id(MeetingId, "The meeting's id, from list_lead_meetings.")

const cancelLeadMeeting = Tool.make("cancel_lead_meeting", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Calls off a meeting on the account's side and returns the lead to prospecting, which contacts it at next_touch_date. Reason and additional instructions are added to the meeting's notes and to the instructions for the next touch. A finished lead stays finished, and a lead with another meeting ahead stays with you.",
  parameters: {
    meeting_id: meetingId,
    next_touch_date: Param.instant(
      "When the lead is contacted next, usually within hours; the current time means as soon as possible. A date more than a day in the past is refused."
    ),
    reason: Param.optional(Param.text("Why the meeting is cancelled.", { maxLength: 2000 })),
    additional_instructions: Param.optional(
      Param.text("What the next touch should say or take into account, such as times to propose.", { maxLength: 5000 })
    )
  },
  returns: Schema.Struct({ ...CancelledMeeting.fields, ...notAppliedField }),
  errors: {
    NotFound: ["lead_not_found", "meeting_not_found"],
    Refused: [...refusalsOf("cancel_meeting"), "date_in_the_past", "meeting_cancelled", "meeting_over"]
  },
  example: { meeting_id: 1, next_touch_date: "2027-01-15T13:00:00Z", reason: "The owner is travelling" },
  run: Effect.fnUntraced(function* ({ additional_instructions, meeting_id, next_touch_date, reason }) {
    yield* notLongPast("next_touch_date", next_touch_date)
    const meetings = yield* Meetings
    const cancelled = yield* meetings.cancel(meeting_id, {
      nextTouchAt: next_touch_date,
      reason,
      additionalInstructions: additional_instructions
    })
    return yield* withNotApplied(cancelled, { nextTouch: additional_instructions })
  })
})

const confirmLeadMeeting = Tool.make("confirm_lead_meeting", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Accepts a meeting on the account's side. An accepted meeting does not change; one that is over or cancelled is refused.",
  parameters: { meeting_id: meetingId },
  returns: MeetingView,
  errors: { NotFound: ["lead_not_found", "meeting_not_found"], Refused: ["meeting_cancelled", "meeting_over"] },
  example: { meeting_id: 1 },
  run: Tool.via(Meetings, (meetings, { meeting_id }) => meetings.confirm(meeting_id))
})

const listLeadMeetings = Tool.make("list_lead_meetings", {
  kind: "read",
  openWorld: false,
  description: `Lists meetings with leads, earliest first: upcoming ones, and those of the last 30 days unless include_past is false. Returns at most ${maximumMeetings}.`,
  parameters: {
    lead_id: Param.optional(Param.id(LeadId, "Meetings with this lead only.")),
    include_cancelled: Param.withDefault(Param.boolean("Whether to include cancelled meetings."), false),
    include_past: Param.withDefault(Param.boolean("Whether to include meetings of the last 30 days."), true)
  },
  returns: Schema.Struct({ meetings: Schema.Array(MeetingView), total: Schema.Int }),
  errors: { NotFound: ["lead_not_found"] },
  example: { include_cancelled: true },
  run: Tool.via(Meetings, (meetings, { include_cancelled, include_past, lead_id }) =>
    meetings.list({ leadId: lead_id, includeCancelled: include_cancelled, includePast: include_past })
  )
})

const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send has_customer_attended, has_lead_attended or notes."
)

const updateLeadMeetingAttendance = Tool.make("update_lead_meeting_attendance", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Records who attended a meeting that has begun, and appends notes; at least one of them is required. A meeting that the lead attended counts as held, one that either side missed as no_show. Notes can be added at any time.",
  parameters: {
    meeting_id: meetingId,
    has_customer_attended: Param.optional(Param.boolean("Whether the account's side attended.")),
    has_lead_attended: Param.optional(Param.boolean("Whether the lead came.")),
    notes: Param.optional(Param.text("Remarks, appended to the notes.", { maxLength: 5000 }))
  },
  returns: MeetingView,
  errors: {
    NotFound: ["lead_not_found", "meeting_not_found"],
    Refused: ["meeting_cancelled", "meeting_not_started", "meeting_over", "nothing_to_change"]
  },
  example: { meeting_id: 1, notes: "Wants a proposal by Friday" },
  run: Effect.fnUntraced(function* ({ has_customer_attended, has_lead_attended, meeting_id, notes }) {
    const hasNotes = notes !== undefined && notes.trim() !== ""
    if (has_customer_attended === undefined && has_lead_attended === undefined && !hasNotes) {
      return yield* nothingToChange
    }
    const meetings = yield* Meetings
    return yield* meetings.attend(meeting_id, {
      hasCustomerAttended: has_customer_attended,
      hasLeadAttended: has_lead_attended,
      notes
    })
  })
})

export const MeetingsGroup = Tool.group("Meetings", "Appointments with leads, and who attended.", [
  listLeadMeetings,
  confirmLeadMeeting,
  cancelLeadMeeting,
  updateLeadMeetingAttendance
])
