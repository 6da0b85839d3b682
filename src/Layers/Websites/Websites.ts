import { Effect, Layer } from "effect"
import { Browser } from "../../Services/Websites/Pages/Browser.ts"
import { websiteJob } from "../../Services/Websites/Websites.ts"
import * as Room from "../Platform/Room.ts"
import { BrowserChromium } from "./Browser/BrowserChromium.ts"
import { loadBrowserSettings } from "./Browser/BrowserSettings.ts"
import { crawlMigration } from "./Crawling/CrawlMigrations.ts"
import { PageCrawlerPostgres } from "./Crawling/PageCrawlerPostgres.ts"
import { editorEndpoints } from "./Editor/EditorEndpoints.ts"
import { WebsiteEditorPostgres } from "./Editor/WebsiteEditorPostgres.ts"
import { formExpiry } from "./Forms/Expiry.ts"
import { FormsLive } from "./Forms/Forms.ts"
import { formsMigration } from "./Forms/FormsMigrations.ts"
import { formsPersonalData } from "./Forms/PersonalData.ts"
import { websiteReportMigration, websitesMigration } from "./Migrations.ts"
import { SitePicturesPostgres } from "./Pictures/SitePicturesPostgres.ts"
import { ScreenshotsPostgres } from "./Screenshots/ScreenshotsPostgres.ts"
import { websiteCommands } from "./Serving/Reports/Commands.ts"
import { reportMailTask } from "./Serving/Reports/ReportMail.ts"
import { SiteReports } from "./Serving/Reports/SiteReports.ts"
import { ServingLive, servingRecurring, servingTasks } from "./Serving/Serving.ts"
import { servingMigration } from "./Serving/ServingMigrations.ts"
import { tlsCheckEndpoint } from "./Serving/TlsCheck.ts"
import { addSiteSearch } from "./sandbox/SiteSearchSource.ts"
import { trafficMigration } from "./Traffic/TrafficMigrations.ts"
import { WebsiteTrackingPostgres } from "./Traffic/WebsiteTrackingPostgres.ts"
import { WebsiteTrafficPostgres } from "./Traffic/WebsiteTrafficPostgres.ts"
import { websiteChecks } from "./WebsiteChecks.ts"
import { WebsitesPostgres } from "./WebsitesPostgres.ts"
import { SiteReviewerInBrowser } from "./Writer/SiteReviewerInBrowser.ts"
import { SiteWriterConfigured } from "./Writer/SiteWriterConfigured.ts"

/** The room of websites: writing, storing, serving and counting visits. */
export const WebsitesRoom = Room.make({
  migrations: [
    websitesMigration,
    formsMigration,
    servingMigration,
    trafficMigration,
    crawlMigration,
    websiteReportMigration
  ],
  layer: Layer.mergeAll(
    WebsiteEditorPostgres,
    WebsiteTrackingPostgres,
    WebsiteTrafficPostgres,
    PageCrawlerPostgres,
    ScreenshotsPostgres,
    Layer.effectDiscard(addSiteSearch)
  ).pipe(
    Layer.provideMerge(WebsitesPostgres),
    Layer.provideMerge(FormsLive),
    Layer.provideMerge(ServingLive),
    Layer.provideMerge(SitePicturesPostgres),
    Layer.provideMerge(Layer.provide(SiteWriterConfigured, SiteReviewerInBrowser)),
    Layer.provideMerge(BrowserChromium)
  ),
  tasks: Effect.map(reportMailTask, (mailing) => [formExpiry.handler, ...servingTasks, mailing]),
  recurring: [formExpiry.recurring, servingRecurring],
  jobs: [websiteJob],
  endpoints: Effect.zipWith(tlsCheckEndpoint, editorEndpoints, (endpoint, editor) => [endpoint, ...editor]),
  figures: Effect.map(SiteReports, ({ waiting }) => [
    {
      name: "gateway_website_reports_waiting",
      help: "Reports of visitors on websites that no operator has closed.",
      read: waiting
    }
  ]),
  commands: websiteCommands,
  modes: Effect.map(Browser, ({ mode }) => ({ browser: mode })),
  personalData: formsPersonalData,
  settings: [loadBrowserSettings],
  checks: websiteChecks
})
