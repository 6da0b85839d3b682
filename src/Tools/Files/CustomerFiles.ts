import { Effect, Schema } from "effect"
import { CustomerFiles, CustomerFileView } from "../../Services/Files/CustomerFiles.ts"
import { uploadCustomerFile } from "../../Services/Files/CustomerFileUpload.ts"
import { CustomerFileId } from "../../Services/Files/Ids.ts"
import { fetchReasons } from "../../Services/Outbound/FetchedUrl.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const customerFileId = Param.id(CustomerFileId, "The file, as list_customer_files names it.")

const uploadCustomerFileTool = Tool.make("upload_customer_file", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Stores a file for later use by other tools (an import, business knowledge, material for leads) and answers its id. The content comes in exactly one way: as text, as Base64, or from a public https URL. Large files come by URL, since a request's own size is limited.",
  parameters: {
    file_name: Param.text(
      "Name with extension, for example contacts.csv. Folders and characters that no name should have are removed.",
      { minLength: 1, maxLength: 1000 }
    ),
    text: Param.optional(Param.text("The content as text; stored as UTF-8.", { maxLength: 40_000_000 })),
    content_base64: Param.optional(
      Param.text("The content in standard Base64 with padding and without line breaks.", { maxLength: 40_000_000 })
    ),
    url: Param.optional(
      Param.text("Public https address that the content is fetched from, now and once.", {
        maxLength: 2048,
        format: "uri"
      })
    )
  },
  returns: CustomerFileView,
  errors: {
    Refused: [
      ...fetchReasons.Refused,
      "content_not_base64",
      "file_content_ambiguous",
      "file_content_missing",
      "file_empty",
      "file_name_unusable",
      "file_too_large",
      "storage_full"
    ],
    Transient: fetchReasons.Transient
  },
  // No transaction is open while the content is fetched.
  transaction: "several",
  example: { file_name: "contacts.csv", text: "name,email\nAna Souza,ana@client.example\n" },
  run: ({ content_base64, file_name, text, url }) =>
    uploadCustomerFile({ fileName: file_name, text, contentBase64: content_base64, url })
})

const listCustomerFiles = Tool.make("list_customer_files", {
  kind: "read",
  openWorld: false,
  description: "Lists the files that were uploaded to or made for this account, newest first.",
  parameters: Param.pages(),
  returns: Tool.page({ customer_files: Schema.Array(CustomerFileView) }),
  example: { page: 0, page_size: 20 },
  run: Effect.fnUntraced(function* ({ page, page_size }) {
    const customerFiles = yield* CustomerFiles
    const { files, total } = yield* customerFiles.list({ page, pageSize: page_size })
    return { customer_files: files, page, page_size, total }
  })
})

const getCustomerFile = Tool.make("get_customer_file", {
  kind: "read",
  openWorld: false,
  description: "Describes one file: its name, size, type, checksum and download address.",
  parameters: { customer_file_id: customerFileId },
  returns: CustomerFileView,
  errors: { NotFound: ["customer_file_not_found"] },
  example: { customer_file_id: 1 },
  run: Tool.via(CustomerFiles, (customerFiles, { customer_file_id }) => customerFiles.get(customer_file_id))
})

const removeCustomerFile = Tool.make("remove_customer_file", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Removes a file for good; its download address stops working at once. Refused while an unfinished import reads it. What other tools made of the file stays.",
  parameters: { customer_file_id: customerFileId },
  returns: Schema.Struct({ ...CustomerFileView.fields, removed: Schema.Literal(true) }),
  errors: { NotFound: ["customer_file_not_found"], Refused: ["file_in_use"] },
  example: { customer_file_id: 2 },
  run: Effect.fnUntraced(function* ({ customer_file_id }) {
    const customerFiles = yield* CustomerFiles
    return { ...(yield* customerFiles.remove(customer_file_id)), removed: true as const }
  })
})

export const CustomerFilesGroup = Tool.group("Customer files", "Files of the account, for other tools to work with.", [
  uploadCustomerFileTool,
  listCustomerFiles,
  getCustomerFile,
  removeCustomerFile
])
