import { Effect, Layer } from "effect"
import { leadReschedulingJob } from "../../Services/Outreach/LeadSchedule.ts"
import * as Room from "../Platform/Room.ts"
import { touchLoop } from "./ClaimTouches.ts"
import { makeComposeHandlers } from "./Composing/ComposeTouch.ts"
import { TouchComposerLive } from "./Composing/TouchComposerLive.ts"
import { LeadSchedulePostgres } from "./LeadSchedulePostgres.ts"
import { lostTouches } from "./LostTouches.ts"
import { holdingLinesMigration, outreachMigration, unappliedInstructionsMigration } from "./Migrations.ts"
import { PendingTouchesPostgres } from "./PendingTouchesPostgres.ts"
import { outreachPersonalData } from "./PersonalData.ts"
import { SendGuardPostgres } from "./SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "./TouchLedgerPostgres.ts"
import { unscheduledLeadsReport } from "./UnscheduledLeads.ts"
import { WaitingLeadsPostgres } from "./WaitingLeadsPostgres.ts"

/** Contacts leads when they are due. */
export const OutreachRoom = Room.make({
  migrations: [outreachMigration, holdingLinesMigration, unappliedInstructionsMigration],
  early: PendingTouchesPostgres,
  layer: Layer.mergeAll(
    SendGuardPostgres,
    TouchLedgerPostgres,
    LeadSchedulePostgres,
    TouchComposerLive,
    WaitingLeadsPostgres
  ),
  tasks: Effect.map(makeComposeHandlers, ({ answer, touch }) => [
    touch,
    answer,
    lostTouches.handler,
    unscheduledLeadsReport.handler
  ]),
  jobs: [leadReschedulingJob],
  recurring: [lostTouches.recurring, unscheduledLeadsReport.recurring],
  loops: touchLoop,
  personalData: outreachPersonalData
})
