import { Layer } from "effect"
import { accountExportJob } from "../../Services/LeadFiles/AccountExports.ts"
import { leadExportJob } from "../../Services/LeadFiles/LeadExports.ts"
import { leadImportJob } from "../../Services/LeadFiles/LeadImports.ts"
import * as Room from "../Platform/Room.ts"
import { AccountExportsPostgres } from "./AccountExportsPostgres.ts"
import { LeadExportsPostgres } from "./LeadExportsPostgres.ts"
import { layer as LeadFileReaderLayer } from "./LeadFileReader.ts"
import { LeadImportsPostgres } from "./LeadImportsPostgres.ts"
import { accountExportsMigration, leadFilesMigration, leadImportDetailsMigration } from "./Migrations.ts"
import { leadFilesFileReferences, leadFilesPersonalData } from "./PersonalData.ts"

/** Imports leads from files, and exports them to files. */
export const LeadFilesRoom = Room.make({
  migrations: [leadFilesMigration, leadImportDetailsMigration, accountExportsMigration],
  layer: Layer.mergeAll(AccountExportsPostgres, LeadExportsPostgres, LeadImportsPostgres).pipe(
    Layer.provideMerge(LeadFileReaderLayer)
  ),
  jobs: [leadImportJob, leadExportJob, accountExportJob],
  personalData: leadFilesPersonalData,
  fileReferences: leadFilesFileReferences
})
