import { outboundTransients, urlRefusals } from "../../Services/Outbound/OutboundHttp.ts"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import { CrawledChunk, chunkLength, PageCrawler, pageMinutes } from "../../Services/Websites/Pages/PageCrawler.ts"
import { longestPrompt, Screenshot, Screenshots, viewportBounds } from "../../Services/Websites/Pages/Screenshots.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const crawlWebsite = Tool.make("crawl_website", {
  kind: "read",
  openWorld: true,
  description: `Answers a public page as it was sent, in chunks of ${chunkLength} characters: begin with chunk_index 0 and go on to total_chunks - 1. The page is fetched once and kept for ${pageMinutes} minutes, so that all chunks are of the same page. The host's robots.txt is kept to; redirects are followed; private addresses are refused. An account fetches at most 60 pages in 15 minutes.`,
  parameters: {
    url: Param.text("Public http or https address of the page.", { minLength: 1, maxLength: 2048, format: "uri" }),
    chunk_index: Param.withDefault(
      Param.integer("Which chunk, counted from 0; one past the page's end is refused.", { minimum: 0 }),
      0
    )
  },
  returns: CrawledChunk,
  errors: {
    Refused: [
      ...urlRefusals,
      "chunk_index_past_end",
      "crawl_limit",
      "page_not_text",
      "page_too_large",
      "robots_disallowed",
      "url_host_not_found",
      "url_not_trusted",
      "url_unreadable"
    ],
    Transient: outboundTransients
  },
  example: { url: "https://ondas.example/", chunk_index: 0 },
  run: Tool.via(PageCrawler, (crawler, { chunk_index, url }) => crawler.chunk(url, chunk_index))
})

export const screenshotWebsite = Tool.make("screenshot_website", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Looks at a public page as a visitor's browser shows it, answers what you want to know of it, and keeps the picture as a file of the account with an address of its own. The answer rests on the picture where a language model is configured, and always on the document: title, headings, texts, calls to action, forms, contrast and width. On request it is mailed to at most five addresses (fifty a day). Takes some seconds; nothing is filled in or clicked.",
  parameters: {
    url: Param.text("Public http or https address of the page.", { minLength: 1, maxLength: 2048, format: "uri" }),
    prompt: Param.text("What you want to know of the page, in any language; at most 8 000 characters.", {
      minLength: 1,
      maxLength: longestPrompt
    }),
    viewport_width: Param.withDefault(Param.integer("Pixels; 390 is a phone's.", viewportBounds.width), 1366),
    viewport_height: Param.withDefault(
      Param.integer("Pixels of the visible part of the page.", viewportBounds.height),
      768
    ),
    send_to_email: Param.optional(Param.words("Addresses, separated by commas, that the result is mailed to.")),
    screenshot_file_name: Param.optional(
      Param.text("Name of the picture's file, in one word without spaces.", { minLength: 1, maxLength: 64 })
    )
  },
  returns: Screenshot,
  errors: {
    Refused: [
      ...urlRefusals,
      ...emailProblems,
      "browser_unavailable",
      "file_empty",
      "file_name_not_one_word",
      "file_name_unusable",
      "file_too_large",
      "too_many_mails",
      "page_not_shown",
      "page_unreachable",
      "storage_full"
    ],
    Transient: ["page_not_shown", "picture_not_drawn"]
  },
  // No transaction is open while the page is loaded.
  transaction: "several",
  example: { url: "https://ondas.example/", prompt: "Is the offer clear without scrolling?" },
  run: Tool.via(Screenshots, (screenshots, args) =>
    screenshots.take({
      url: args.url,
      prompt: args.prompt,
      width: args.viewport_width,
      height: args.viewport_height,
      sendTo: args.send_to_email ?? [],
      fileName: args.screenshot_file_name
    })
  )
})
