import { Effect, Either, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { placeOf } from "../../Services/Core/DecodingFault.ts"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { LeadFileColumn } from "../../Services/LeadFiles/LeadFileColumns.ts"
import {
  ImportedRow,
  type ImportSource,
  InlineRow,
  LeadImportId,
  LeadImports,
  LeadImportView,
  maximumInlineRows
} from "../../Services/LeadFiles/LeadImports.ts"
import { Channel } from "../../Services/Leads/Ids.ts"
import { AssignableLeadStatus } from "../../Services/Leads/LeadModel.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const InlineRows = Schema.parseJson(Schema.Array(InlineRow))
const decodeRows = Schema.decodeEither(InlineRows, { onExcessProperty: "error" })

const rowsRefused = (reason: string, error: string) =>
  refused(
    reason,
    error,
    `Send a JSON array of at most ${maximumInlineRows} objects with name, email, phone and company, each a text.`,
    { parameter: "rows_json" }
  )

const inlineSource = (json: string): Either.Either<ImportSource, ReturnType<typeof refused>> =>
  Either.match(decodeRows(json), {
    onLeft: (error) => {
      const place = placeOf(error)
      return Either.left(
        place === ""
          ? rowsRefused("rows_json_unreadable", "rows_json is not a JSON array of rows.")
          : rowsRefused("row_unreadable", `rows_json has a value at ${place} that a row can't have.`)
      )
    },
    onRight: (rows) => {
      if (rows.length === 0) return Either.left(rowsRefused("no_rows", "rows_json has no rows."))
      if (rows.length > maximumInlineRows) {
        return Either.left(rowsRefused("too_many_rows", `rows_json has more than ${maximumInlineRows} rows.`))
      }
      return Either.right({ _tag: "Inline", rows })
    }
  })

const oneSource = refused(
  "one_source_required",
  "Give either customer_file_id or rows_json.",
  "Upload a file with upload_customer_file and send its id, or send the rows themselves. Send only one of the two."
)

export const importLeads = Tool.make("import_leads", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Imports leads from an uploaded .csv, .xlsx, .xls or .txt file, or from rows in the call. Runs in the background: poll get_lead_import. Rows are compared with existing leads by e-mail and phone. Prospecting of new leads starts automatically.",
  parameters: {
    customer_file_id: Param.optional(Param.id(CustomerFileId, "The uploaded file.")),
    rows_json: Param.optional(
      Param.text(
        `A JSON array of objects with name, email, phone and company; at most ${maximumInlineRows}. Each needs an e-mail or a phone.`,
        { maxLength: 1_000_000 }
      )
    ),
    instructions: Param.optional(Param.text("How to work these leads.")),
    status: Param.optional(Param.oneOf(AssignableLeadStatus.literals, "The status of new leads; Cold if left out.")),
    preferred_channel: Param.optional(
      Param.oneOf(Channel.literals, "The channel to begin with, for each lead that has that contact.")
    ),
    first_message_instructions: Param.optional(Param.text("How to write the first message.")),
    prospecting_background: Param.optional(Param.text("Background on these leads.")),
    prospecting_goal: Param.optional(Param.text("What to achieve with these leads; replaces the account's own goal.")),
    campaign: Param.optional(Param.text("The campaign that new leads belong to: its name or id.", { maxLength: 200 }))
  },
  returns: Schema.Struct({ ...LeadImportView.fields, ...notAppliedField }),
  errors: {
    NotFound: ["campaign_not_found", "customer_file_not_found"],
    Refused: [
      "no_rows",
      "one_source_required",
      "row_unreadable",
      "rows_json_unreadable",
      "too_many_jobs",
      "too_many_rows"
    ]
  },
  runsInBackground: true,
  example: { rows_json: '[{"name":"Ana Souza","email":"ana@example.com","company":"Souza Ltda"}]' },
  run: Effect.fnUntraced(function* (args) {
    const imports = yield* LeadImports
    const { customer_file_id, rows_json } = args
    if ((customer_file_id === undefined) === (rows_json === undefined)) return yield* oneSource
    const source: ImportSource =
      customer_file_id === undefined
        ? yield* inlineSource(rows_json ?? "")
        : { _tag: "File", customerFileId: customer_file_id }
    const started = yield* imports.start({
      source,
      status: args.status ?? "Cold",
      campaign: args.campaign,
      preferredChannel: args.preferred_channel,
      instructions: args.instructions,
      firstMessageInstructions: args.first_message_instructions,
      background: args.prospecting_background,
      goal: args.prospecting_goal
    })
    const { first_message_instructions, instructions, prospecting_goal } = args
    return yield* withNotApplied(started, {
      general: instructions,
      further: [first_message_instructions],
      goal: prospecting_goal
    })
  })
})

export const listLeadImports = Tool.make("list_lead_imports", {
  kind: "read",
  openWorld: false,
  description: "Lists the account's lead imports with their progress and counts, newest first.",
  parameters: Param.pages(),
  returns: Tool.page({ imports: Schema.Array(LeadImportView) }),
  example: {},
  run: Tool.pageVia(LeadImports, (imports, page) => imports.list(page))
})

export const getLeadImport = Tool.make("get_lead_import", {
  kind: "read",
  openWorld: false,
  description:
    "Shows the progress of a lead import, what each column of the file was taken for, and the outcome of each row processed so far: created, duplicate or invalid, with the reason and what was cleaned or left out.",
  parameters: {
    lead_import_id: Param.id(LeadImportId, "The import's id, from import_leads."),
    ...Param.pages()
  },
  returns: Tool.page({
    ...LeadImportView.fields,
    columns: Schema.Array(LeadFileColumn).annotations({
      description: "The columns of the file; empty for rows of a call, and until the file was read."
    }),
    rows: Schema.Array(ImportedRow)
  }),
  errors: { NotFound: ["lead_import_not_found"] },
  example: { lead_import_id: 1 },
  run: Effect.fnUntraced(function* ({ lead_import_id, page, page_size }) {
    const imports = yield* LeadImports
    const view = yield* imports.get(lead_import_id)
    const columns = yield* imports.columns(lead_import_id)
    const { rows, total } = yield* imports.rows(lead_import_id, { page, pageSize: page_size })
    return { ...view, columns, rows, page, page_size, total }
  })
})
