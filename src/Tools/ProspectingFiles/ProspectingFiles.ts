import { Effect, Schema } from "effect"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { ProspectingFileId } from "../../Services/ProspectingFiles/Ids.ts"
import { ProspectingFiles, ProspectingFileView } from "../../Services/ProspectingFiles/ProspectingFiles.ts"
import { websiteProblems } from "../../Services/Text/Web/WebAddress.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const prospectingFileId = Param.id(ProspectingFileId, "The file, as list_prospecting_files names it.")

const listProspectingFiles = Tool.make("list_prospecting_files", {
  kind: "read",
  openWorld: false,
  description: "Lists the material that the agent may offer and send to leads, in its order, with its campaign.",
  parameters: {},
  returns: Schema.Struct({ prospecting_files: Schema.Array(ProspectingFileView), total: Schema.Int }),
  example: {},
  run: Tool.via(ProspectingFiles, (files) =>
    Effect.map(files.list, (list) => ({ prospecting_files: list, total: list.length }))
  )
})

const registerProspectingFile = Tool.make("register_prospecting_file", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Adds material that the agent may send to leads who ask for something like it: a brochure, a case study, a price list. A lead gets it once. Without a description, one is made from the content. For facts that the agent should only know, use register_business_file.",
  parameters: {
    title: Param.text("What it is called.", { minLength: 1, maxLength: 200 }),
    description: Param.optional(Param.text("What is in it, and when to offer it.", { maxLength: 2000 })),
    customer_file_id: Param.optional(Param.id(CustomerFileId, "An uploaded file, as list_customer_files names it.")),
    url: Param.optional(Param.text("Its public address, if it is not uploaded.", { maxLength: 500 })),
    campaign: Param.optional(
      Param.text("Name or numeric id of the campaign that it is for; blank for the whole account.", { maxLength: 200 })
    ),
    sort_order: Param.withDefault(Param.integer("Lower ones come first."), 0)
  },
  returns: ProspectingFileView,
  errors: {
    NotFound: ["campaign_not_found", "customer_file_not_found"],
    Refused: [...websiteProblems, "file_source_required", "too_many_prospecting_files"]
  },
  example: { title: "Catálogo", url: "https://ondas.example/catalogo.pdf" },
  run: Tool.via(ProspectingFiles, (files, { campaign, customer_file_id, description, sort_order, title, url }) =>
    files.register({ title, description, customerFileId: customer_file_id, url, campaign, sortOrder: sort_order })
  )
})

const removeProspectingFile = Tool.make("remove_prospecting_file", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Removes material, so that it is no longer offered. An uploaded file stays among the customer files.",
  parameters: { prospecting_file_id: prospectingFileId },
  returns: ProspectingFileView,
  errors: { NotFound: ["prospecting_file_not_found"] },
  example: { prospecting_file_id: 1 },
  run: Tool.via(ProspectingFiles, (files, { prospecting_file_id }) => files.remove(prospecting_file_id))
})

const updateProspectingFile = Tool.make("update_prospecting_file", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes the description, campaign or order of material. Only the fields passed change. To replace the file, register another one.",
  parameters: {
    prospecting_file_id: prospectingFileId,
    title: Param.optional(Param.text("What it is called.", { minLength: 1, maxLength: 200 })),
    description: Param.optional(Param.text("What is in it, and when to offer it.", { maxLength: 2000 })),
    campaign: Param.optional(
      Param.text("Name or numeric id of the campaign that it is for, or all for the whole account.", { maxLength: 200 })
    ),
    sort_order: Param.optional(Param.integer("Lower ones come first."))
  },
  returns: ProspectingFileView,
  errors: { NotFound: ["campaign_not_found", "prospecting_file_not_found"], Refused: ["nothing_to_change"] },
  example: { prospecting_file_id: 1, sort_order: 2 },
  run: Tool.via(ProspectingFiles, (files, { campaign, description, prospecting_file_id, sort_order, title }) =>
    files.update(prospecting_file_id, { title, description, campaign, sortOrder: sort_order })
  )
})

export const ProspectingFilesGroup = Tool.group("Prospecting files", "Material that the agent may send to leads.", [
  listProspectingFiles,
  registerProspectingFile,
  updateProspectingFile,
  removeProspectingFile
])
