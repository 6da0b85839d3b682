import { Effect, Schema } from "effect"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import {
  ListedCode,
  Snapshot,
  WebsiteCode,
  WebsiteExport,
  Websites,
  WebsiteView
} from "../../Services/Websites/Websites.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { codeParam, websiteParam } from "./WebsiteParams.ts"

export const getWebsiteCode = Tool.make("get_website_code", {
  kind: "read",
  openWorld: false,
  description:
    "Answers the HTML of one entry of a site's history: of the home page in html, of every page in pages. Null while it is unfinished.",
  parameters: { website_code_id: codeParam("The entry, as list_website_code and change_website name it.") },
  returns: WebsiteCode,
  errors: { NotFound: ["website_code_not_found"] },
  example: { website_code_id: 1 },
  run: Tool.via(Websites, (websites, { website_code_id }) => websites.getCode(website_code_id))
})

export const listWebsiteCode = Tool.make("list_website_code", {
  kind: "read",
  openWorld: false,
  description:
    "Lists what was written, changed and restored of a site with success, without the HTML: the newest 100, newest first.",
  parameters: { website_id: websiteParam },
  returns: Schema.Struct({ website_codes: Schema.Array(ListedCode), total: Schema.Int }),
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1 },
  run: Tool.via(Websites, (websites, { website_id }) =>
    Effect.map(websites.listCode(website_id), (list) => ({ website_codes: list, total: list.length }))
  )
})

export const createWebsiteSnapshot = Tool.make("create_website_snapshot", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: "Keeps what is published of a site under a description, to be restored later.",
  parameters: {
    website_id: websiteParam,
    snapshot_description: Param.text("What the snapshot is to be known by; at most 200 characters.", {
      minLength: 1,
      maxLength: 200
    })
  },
  returns: Snapshot,
  errors: {
    NotFound: ["website_code_not_found", "website_not_found"],
    Refused: ["daily_change_limit", "nothing_published"]
  },
  example: { website_id: 1, snapshot_description: "Antes da campanha de Natal" },
  run: Tool.via(Websites, (websites, { snapshot_description, website_id }) =>
    websites.snapshot(website_id, snapshot_description)
  )
})

export const listWebsiteSnapshots = Tool.make("list_website_snapshots", {
  kind: "read",
  openWorld: false,
  description: "Lists the snapshots of a site: the newest 100, newest first.",
  parameters: { website_id: websiteParam },
  returns: Schema.Struct({ snapshots: Schema.Array(Snapshot), total: Schema.Int }),
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1 },
  run: Tool.via(Websites, (websites, { website_id }) =>
    Effect.map(websites.listSnapshots(website_id), (list) => ({ snapshots: list, total: list.length }))
  )
})

export const restoreWebsiteSnapshot = Tool.make("restore_website_snapshot", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Publishes a snapshot or any finished entry of a site's history again, at once. It becomes a new entry, so that restoring the one before undoes it. Refused while a change is under way.",
  parameters: {
    website_code_id: codeParam("The snapshot or entry, as list_website_snapshots and list_website_code name it.")
  },
  returns: WebsiteView,
  errors: {
    NotFound: ["website_code_not_found", "website_not_found"],
    Refused: ["change_in_progress", "code_not_finished", "daily_change_limit", "owner_is_asked"]
  },
  example: { website_code_id: 1 },
  run: Tool.via(Websites, (websites, { website_code_id }) => websites.restore(website_code_id))
})

export const exportWebsiteCode = Tool.make("export_website_code", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Mails a site's published pages as one HTML file that needs no other, with the link of a .zip that has a file per page and the pictures. Both are kept among the customer files. Calls of an account name at most 50 addresses a day.",
  parameters: {
    website_id: websiteParam,
    email_address: Param.text("Where the export is mailed to.", { maxLength: 254 })
  },
  returns: WebsiteExport,
  errors: {
    NotFound: ["website_code_not_found", "website_not_found"],
    Refused: [
      ...emailProblems,
      "file_empty",
      "file_name_unusable",
      "file_too_large",
      "too_many_mails",
      "nothing_published",
      "recipient_not_accepted",
      "storage_full",
      "too_many_items"
    ]
  },
  example: { website_id: 1, email_address: "helena@ondas.example" },
  run: Tool.via(Websites, (websites, { email_address, website_id }) => websites.exportCode(website_id, email_address))
})
