import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { AccountUsagePostgres } from "./AccountUsagePostgres.ts"
import { reportCommands } from "./Commands.ts"
import { dailyReportRecurring, dailyReportTasks } from "./DailyReportMails.ts"
import { reportStagesMigration, reportsMigration } from "./Migrations.ts"
import { reportsPersonalData } from "./PersonalData.ts"
import { PlatformUsagePostgres } from "./PlatformUsagePostgres.ts"
import { ReportsPostgres } from "./ReportsPostgres.ts"
import { rollUpRecurring, rollUpTasks } from "./RollUps.ts"
import { volumeRecurring, volumeTasks } from "./VolumeBenchmarks.ts"

/** Reports on the results of prospecting. */
export const ReportsRoom = Room.make({
  migrations: [reportsMigration, reportStagesMigration],
  layer: Layer.mergeAll(ReportsPostgres, AccountUsagePostgres, PlatformUsagePostgres),
  tasks: Effect.succeed([...volumeTasks, ...dailyReportTasks, ...rollUpTasks]),
  recurring: [...volumeRecurring, ...dailyReportRecurring, ...rollUpRecurring],
  commands: reportCommands,
  personalData: reportsPersonalData
})
