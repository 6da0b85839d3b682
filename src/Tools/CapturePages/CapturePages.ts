import { Effect, Schema } from "effect"
import {
  type BegunPage,
  CapturePageId,
  CapturePages,
  CapturePageView
} from "../../Services/CapturePages/CapturePages.ts"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { WebsiteCodeId } from "../../Services/Websites/Ids.ts"
import { websiteKind } from "../../Services/Websites/Websites.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const pageParam = Param.id(CapturePageId, "The page, as list_lead_capture_pages shows it.")

const longestWish = 8000

const Begun = Schema.Struct({
  lead_capture_page_id: CapturePageId,
  website_code_id: WebsiteCodeId.annotations({ description: "What is being written; get_website_code shows it." }),
  job_id: JobId.annotations({ description: "The background job, as list_background_jobs names it." }),
  status: JobStatus
})

const begun = ({ codeId, jobId, pageId }: BegunPage) => ({
  lead_capture_page_id: pageId,
  website_code_id: codeId,
  job_id: jobId,
  status: "queued" as const
})

const createLeadCapturePage = Tool.make("create_lead_capture_page", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Has a page with a form written from a description, in the background, and publishes it. Who sends the form becomes an interested lead with the page as its source, in the campaign that the description names. The answer has its id at once; list_lead_capture_pages tells how far it is, its address, and the HTML that shows the form on another site.",
  parameters: {
    description: Param.text(
      "What is asked of visitors, whom the page is for, what it offers, how it should look, and, where there is one, the campaign that its leads join; at most 8 000 characters.",
      { minLength: 1, maxLength: longestWish }
    ),
    language: Param.text("Of the page's texts, in the form xx-xx, for example pt-br, en-us or es-mx.", {
      maxLength: 20
    })
  },
  returns: Begun,
  errors: {
    NotFound: ["lead_capture_page_not_found"],
    Refused: [
      "daily_change_limit",
      "language_invalid",
      "language_needs_model",
      "name_not_accepted",
      "name_reserved",
      "name_taken",
      "nothing_published",
      "too_many_generations",
      "too_many_jobs",
      "too_many_names",
      "too_many_websites"
    ]
  },
  example: {
    description:
      "Página para clínicas pedirem uma demonstração da agenda online: nome, e-mail, telefone, clínica e a melhor hora para ligar.",
    language: "pt-br"
  },
  run: Tool.via(CapturePages, (pages, page) => Effect.map(pages.create(page), begun))
})

const changeLeadCapturePage = Tool.make("change_lead_capture_page", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Changes a lead-capture page by what a prompt asks for, in the background; what the prompt does not concern stays exactly as it is. A prompt can add a variant, another opening that part of the visitors meet: list_lead_capture_pages compares what comes of each. One change of a page is under way at a time.",
  parameters: {
    lead_capture_page_id: pageParam,
    prompt: Param.text("What is to be different, in any language; at most 8 000 characters.", {
      minLength: 1,
      maxLength: longestWish
    })
  },
  returns: Begun,
  errors: {
    NotFound: ["lead_capture_page_not_found"],
    Refused: [
      "change_in_progress",
      "daily_change_limit",
      "language_needs_model",
      "too_many_generations",
      "too_many_jobs"
    ]
  },
  example: { lead_capture_page_id: 2, prompt: "Acrescente uma variante com um título mais direto." },
  run: Tool.via(CapturePages, (pages, { lead_capture_page_id, prompt }) =>
    Effect.map(pages.change(lead_capture_page_id, prompt), begun)
  )
})

const listLeadCapturePages = Tool.make("list_lead_capture_pages", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the lead-capture pages, newest first: how far their writing is, their address, the HTML that shows the form on another site, and how many visitors saw them and left their contact, for each variant.",
  parameters: {},
  returns: Schema.Struct({ lead_capture_pages: Schema.Array(CapturePageView), total: Schema.Int }),
  example: {},
  run: Tool.via(CapturePages, (pages) =>
    Effect.map(pages.list, (list) => ({ lead_capture_pages: list, total: list.length }))
  )
})

const archiveLeadCapturePage = Tool.make("archive_lead_capture_page", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Takes a lead-capture page from the web for good: visitors find nothing on their next request, and its name is given up. The leads that it brought stay.",
  parameters: { lead_capture_page_id: pageParam },
  returns: Schema.Struct({
    lead_capture_page_id: CapturePageId,
    title: Schema.String,
    url: Schema.String.annotations({ description: "Where it was." }),
    archived: Schema.Boolean
  }),
  errors: { NotFound: ["lead_capture_page_not_found"] },
  example: { lead_capture_page_id: 2 },
  run: Tool.via(CapturePages, (pages, { lead_capture_page_id }) =>
    Effect.map(pages.archive(lead_capture_page_id), ({ title, url }) => ({
      lead_capture_page_id,
      title,
      url,
      archived: true
    }))
  )
})

export const LeadCapturePagesGroup = Tool.group(
  "Lead-capture pages",
  "Pages with a form whose senders become interested leads.",
  [createLeadCapturePage, changeLeadCapturePage, listLeadCapturePages, archiveLeadCapturePage],
  [websiteKind]
)
