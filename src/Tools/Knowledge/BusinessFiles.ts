import { Effect, Schema } from "effect"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { BusinessFiles, BusinessFileView } from "../../Services/Knowledge/BusinessFiles.ts"
import { BusinessFileId } from "../../Services/Knowledge/Ids.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const listBusinessFiles = Tool.make("list_business_files", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the texts and files that the agent knows, newest first: whether each is indexed, if not why, and its campaign.",
  parameters: {},
  returns: Schema.Struct({ business_files: Schema.Array(BusinessFileView), total: Schema.Int }),
  example: {},
  run: Tool.via(BusinessFiles, (files) =>
    Effect.map(files.list, (list) => ({ business_files: list, total: list.length }))
  )
})

export const registerBusinessFile = Tool.make("register_business_file", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Gives the agent knowledge of the business: a text, or an uploaded file (.txt, .md, .csv, .pdf, .docx, .xlsx, .pptx, .html). It is split into passages and indexed in the background; list_business_files shows the progress. The same content for the same campaign is registered once. An encrypted or broken document, or one without text, ends in the status failed with the reason, and is never quoted.",
  parameters: {
    title: Param.text("What it is called.", { minLength: 1, maxLength: 200 }),
    text: Param.optional(
      Param.text("The text; Markdown headings and tables are understood.", { maxLength: 2_000_000 })
    ),
    customer_file_id: Param.optional(Param.id(CustomerFileId, "An uploaded file, as list_customer_files names it.")),
    campaign: Param.optional(
      Param.text("Name or numeric id of its campaign; blank for the whole account.", {
        maxLength: 200
      })
    )
  },
  returns: Schema.Struct({ ...BusinessFileView.fields, is_repeat: Schema.Boolean }),
  errors: {
    NotFound: ["campaign_not_found", "customer_file_not_found"],
    Refused: ["document_too_large", "format_not_supported", "knowledge_source_required", "too_many_jobs"]
  },
  example: { title: "Preços 2026", text: "# Planos\nO plano básico custa R$ 199 por mês." },
  run: Tool.via(BusinessFiles, (files, { campaign, customer_file_id, text, title }) =>
    files.register({ title, text, customerFileId: customer_file_id, campaign })
  )
})

export const removeBusinessFile = Tool.make("remove_business_file", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Removes a text or file from the agent's knowledge, with all its passages. It is no longer quoted.",
  parameters: { business_file_id: Param.id(BusinessFileId, "The file, as list_business_files names it.") },
  returns: BusinessFileView,
  errors: { NotFound: ["business_file_not_found"] },
  example: { business_file_id: 1 },
  run: Tool.via(BusinessFiles, (files, { business_file_id }) => files.remove(business_file_id))
})
