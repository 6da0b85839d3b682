import * as fs from "node:fs"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Context, Duration, Effect } from "effect"
import { mostEscapes, mostOutsideTexts, mostValues } from "../../src/Api/JsonSource.ts"
import { maximumCampaigns, maximumCampaignsEver } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { runningPerAccount } from "../../src/Layers/Jobs/JobsPostgres.ts"
import {
  concurrentDocuments,
  DocumentLimits,
  maximumDocumentBytes
} from "../../src/Layers/Knowledge/DocumentText/DocumentText.ts"
import { maximumEntries, unpackedBytes } from "../../src/Layers/Knowledge/DocumentText/OfficeBlocks.ts"
import { maximumPages } from "../../src/Layers/Knowledge/DocumentText/PdfBlocks.ts"
import { defaultLimits } from "../../src/Layers/LeadFiles/LeadFileReader/Limits.ts"
import { maximumSheets } from "../../src/Layers/LeadFiles/LeadFileReader/WorkbookRows.ts"
import { limits as mailLimits } from "../../src/Layers/Mail/MailParser/ParseMail.ts"
import { MailParserLimits } from "../../src/Layers/Mail/MailParser.ts"
import {
  bytesPerSecond,
  largeBodyBytes,
  mailBytesPerSecond
} from "../../src/Layers/Platform/Http/Admission/BodyBudget.ts"
import { mostDelayed } from "../../src/Layers/Platform/Http/Admission/Refusals.ts"
import { pieceBytes } from "../../src/Layers/Platform/Http/Bodies/BodyReads.ts"
import { usualTimes } from "../../src/Layers/Platform/Http/BoundedServer.ts"
import { mostHeaders } from "../../src/Layers/Platform/Http/MalformedRequests.ts"
import { lookUps } from "../../src/Layers/Platform/Outbound/NameResolver.ts"
import { turnsOfSessions } from "../../src/Layers/Platform/Postgres/Database.ts"
import { loadSettings } from "../../src/Layers/Platform/Settings.ts"
import { drawingLimits, turnsOfDrawing } from "../../src/Layers/Presentations/DrawnPresentation.ts"
import { largestForm, mostFields } from "../../src/Layers/Websites/Editor/EditorEndpoints.ts"
import { mostOfVisitor } from "../../src/Layers/Websites/Serving/Hits.ts"
import { bodyLimit } from "../../src/Layers/Websites/Serving/SiteServing.ts"
import { mostTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { maximumUnfinishedJobs } from "../../src/Services/Jobs/Jobs.ts"
import { maximumPassages } from "../../src/Services/Knowledge/Passages.ts"
import { reactionsPerHour } from "../../src/Services/Mail/InboxRules.ts"
import { maximumMailBytes } from "../../src/Services/Mail/MailInbox.ts"
import { formLimits } from "../../src/Services/Websites/Forms/FormVerdict.ts"
import { longestPage, mostPageBytes, mostPages } from "../../src/Services/Websites/Pages/PageCrawler.ts"
import { longestRobots } from "../../src/Services/Websites/Pages/RobotsRules.ts"

// Each limit has a test with a small value. This one compares the document with the gateway's values.

const thousands = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, " ")
const bytes = (count: number): string =>
  count >= 1024 ** 3
    ? `${count / 1024 ** 3} GiB`
    : count >= 1024 ** 2
      ? `${count / 1024 ** 2} MiB`
      : `${count / 1024} KiB`
const seconds = (millis: number): string => `${millis / 1000} s`

const settings = Effect.runSync(
  Effect.withConfigProvider(loadSettings, ConfigProvider.fromMap(new Map<string, string>()))
)
const mail = Context.get(Context.empty(), MailParserLimits)
const documents = Context.get(Context.empty(), DocumentLimits)
const sessions = turnsOfSessions(16)
const shares = new Map([
  [2, "half"],
  [8, "an eighth"]
])

/** A row of the table by its first words, and its figures as the code has them. */
const bounds: ReadonlyArray<readonly [row: string, ...figures: ReadonlyArray<string>]> = [
  ["a request's headers", `${mostHeaders} headers`],
  ["a request's time", `${seconds(usualTimes.headers)} for headers, ${seconds(usualTimes.request)} in all`],
  ["connections |", `${seconds(usualTimes.keepAlive)} between requests, ${seconds(usualTimes.silence)} without a byte`],
  ["refusals that a caller repeats", `closed where ${thousands(mostDelayed)} wait`],
  ["a body |", `\`BODY_LIMIT\` (${bytes(settings.bodyLimit)})`],
  ["bodies at a time", `\`BODY_BUFFER_LIMIT\` (${bytes(settings.bodyBufferLimit)})`],
  [
    "large bodies",
    `${largeBodyBytes / 1024} kB and more`,
    `${pieceBytes / 1024} kB at a time`,
    `at ${bytes(bytesPerSecond)} a second`,
    `mail always at ${bytes(mailBytesPerSecond)} a second`
  ],
  [
    "JSON in a body",
    `${thousands(mostValues)} values; ${thousands(mostOutsideTexts)} characters outside texts and ${thousands(mostEscapes)} escapes`
  ],
  [
    "calls at a time",
    `${shares.get(sessions.slots / sessions.perAccount)} of the database's sessions for one account, ${shares.get(sessions.slots / sessions.perHeavyAccount)} for one`,
    `${sessions.waitingPerAccount} of its statements waiting, ${thousands(sessions.waiting)} in all, ${seconds(sessions.longestWait)} of waiting`
  ],
  ["background jobs", `${maximumUnfinishedJobs} unfinished of an account, ${runningPerAccount} of them running`],
  [
    "a workbook",
    `${bytes(defaultLimits.workbookBytes)}, ${bytes(defaultLimits.unpackedBytes)} unpacked, ${maximumSheets} sheets, ${thousands(defaultLimits.rows)} rows`,
    `${defaultLimits.workerHeapMegabytes} MiB and ${Duration.toSeconds(defaultLimits.batchTimeout)} s for a batch`
  ],
  [
    "documents and texts",
    `${bytes(maximumDocumentBytes)}, ${bytes(unpackedBytes)} unpacked, ${thousands(maximumEntries)} parts, ${thousands(maximumPages)} pages, ${thousands(maximumPassages)} passages`,
    `${["", "one thread", "two threads"][concurrentDocuments]} with ${documents.heapMegabytes} MiB for ${Duration.toSeconds(documents.timeout)} s`
  ],
  ["delimited text", `${bytes(defaultLimits.textBytes)}, ${bytes(defaultLimits.recordBytes)} a row`],
  [
    "a file |",
    `\`UPLOAD_LIMIT\` (${bytes(settings.uploadLimit)}), \`ACCOUNT_STORAGE_LIMIT\` (${bytes(settings.accountStorageLimit)})`
  ],
  [
    "a mail |",
    `${bytes(maximumMailBytes)}, ${mailLimits.parts} parts, ${bytes(mailLimits.textBytes)} of one part's text and ${bytes(mailLimits.allTextBytes)} of all`,
    `one of ${["", "one", "two"][mail.threads]} threads with ${mail.heapMegabytes} MiB for ${Duration.toSeconds(mail.timeout)} s`
  ],
  ["mail of one sender", `${reactionsPerHour.person} an hour (${reactionsPerHour.machine} for auto-replies)`],
  ["campaigns", `${thousands(maximumCampaigns)} of one account, ${thousands(maximumCampaignsEver)} with archived ones`],
  [
    "presentations",
    `${["", "one thread", "two threads"][turnsOfDrawing.slots]}, ${["none", "one"][turnsOfDrawing.perAccount]} for an account`,
    `${drawingLimits.timeoutSeconds} s and ${drawingLimits.heapMegabytes} MiB for each, ${turnsOfDrawing.waitingPerAccount} waiting`
  ],
  ["access tokens", `${mostTokens} valid`],
  [
    "names of hosts",
    `${seconds(lookUps.timeout)} for each, ${lookUps.perAccount} of one account at a time, ${lookUps.slots} in all`
  ],
  [
    "crawled pages",
    `${bytes(longestPage)}, also unpacked`,
    `${bytes(longestRobots)} of \`robots.txt\`; ${mostPages} pages and ${bytes(mostPageBytes)} of an account`
  ],
  [
    "what visitors send to a site",
    bytes(bodyLimit),
    `${formLimits.network.most} submissions of a network an hour, ${thousands(formLimits.page.most)} of a page in ten minutes`
  ],
  ["views of pages", `${mostOfVisitor} of a visitor in a minute`],
  ["a form of a site's editor", `${bytes(largestForm)}, ${thousands(mostFields)} fields`]
]

const lines = fs.readFileSync("docs/explanation/security.md", "utf8").split("\n")

it.each(bounds)("the document has the limits of the gateway: %s", (row, ...figures) => {
  const rows = lines.filter((line) => line.startsWith(`| ${row}`))
  assert.lengthOf(rows, 1, row)
  for (const figure of figures) assert.include(rows[0]?.replaceAll("\u00a0", " "), figure)
})
