import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { WebsiteCodeId, WebsiteId } from "../../Services/Websites/Ids.ts"
import {
  type BegunCode,
  longestGuidelines,
  longestTitle,
  WebsiteSettings,
  Websites,
  WebsiteView,
  websiteKind
} from "../../Services/Websites/Websites.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { crawlWebsite, screenshotWebsite } from "./WebPages.ts"
import {
  createWebsiteSnapshot,
  exportWebsiteCode,
  getWebsiteCode,
  listWebsiteCode,
  listWebsiteSnapshots,
  restoreWebsiteSnapshot
} from "./WebsiteCode.ts"
import { generationParam, reasoningParam, typeParam, websiteParam, wishParam } from "./WebsiteParams.ts"
import { websiteTrafficTools } from "./WebsiteTraffic.ts"

const Begun = Schema.Struct({
  website_id: WebsiteId,
  website_code_id: WebsiteCodeId.annotations({ description: "What is being written; get_website_code shows it." }),
  job_id: JobId.annotations({ description: "The background job, as list_background_jobs names it." }),
  status: JobStatus
})

const begun = ({ codeId, jobId, websiteId }: BegunCode) => ({
  website_id: websiteId,
  website_code_id: codeId,
  job_id: jobId,
  status: "queued" as const
})

const registerWebsite = Tool.make("register_website", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Has a website or lead-capture page written from a description, in the background, and publishes it at an address of its own. What it says rests on the description, the business data, the knowledge and the FAQ of the account: numbers, prices, clients and contacts that stand nowhere there are left out. The answer has its id at once; get_website tells how far it is and where it can be seen. An account has at most 100 sites.",
  parameters: {
    description: wishParam(
      "What the site is for, for whom, and what it should say and offer; at most 8 000 characters."
    ),
    language: Param.text("Of the site's texts, in the form xx-xx, for example pt-br, en-us or es-mx.", {
      maxLength: 20
    }),
    application_type: typeParam,
    generation_type: generationParam,
    data_storage_required: Param.withDefault(
      Param.boolean("Whether visitors' entries are stored: forms, lists, and visitors who sign in and see their own."),
      false
    ),
    restricted: Param.withDefault(
      Param.boolean("Whether only the account's members, and who has its access code, may see it."),
      false
    ),
    copy_from_website_id: Param.optional(
      Param.id(WebsiteId, "A site that this one starts from as a copy; the description says what is to be different.")
    ),
    business_or_brand_name: Param.optional(
      Param.text(
        "A business or brand that the web is searched for first. What is found is kept in the business knowledge with its sources.",
        { maxLength: 120 }
      )
    )
  },
  returns: Begun,
  errors: {
    NotFound: ["website_not_found"],
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
    description: "Site da clínica Sorriso Vivo: horários, convênios e um formulário para marcar consulta.",
    language: "pt-br"
  },
  run: Effect.fnUntraced(function* (args) {
    const websites = yield* Websites
    return begun(
      yield* websites.register({
        description: args.description,
        language: args.language,
        type: args.application_type,
        generation: args.generation_type,
        storesData: args.data_storage_required,
        isRestricted: args.restricted,
        copyFrom: args.copy_from_website_id,
        businessName: args.business_or_brand_name
      })
    )
  })
})

const changeWebsite = Tool.make("change_website", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  runsInBackground: true,
  description:
    "Changes a site by what a prompt asks for, in the background; what the prompt does not concern stays exactly as it is. What is published stays until the change is finished. get_website tells how far it is and, then, what was changed. One change of a site is under way at a time.",
  parameters: {
    website_id: websiteParam,
    prompt: wishParam("What is to be different, in any language; at most 8 000 characters."),
    data_storage_required: Param.withDefault(
      Param.boolean("Adds storage of visitors' entries; false leaves it as it is."),
      false
    ),
    ignore_existing_code: Param.withDefault(
      Param.boolean("Whether the site is written from scratch, from its description and the prompt."),
      false
    ),
    reasoning_mode: reasoningParam,
    generation_type: generationParam
  },
  returns: Begun,
  errors: {
    NotFound: ["website_not_found"],
    Refused: [
      "change_in_progress",
      "daily_change_limit",
      "language_needs_model",
      "too_many_generations",
      "too_many_jobs"
    ]
  },
  example: { website_id: 1, prompt: "Coloque o telefone no topo e acrescente as perguntas mais comuns." },
  run: Effect.fnUntraced(function* (args) {
    const websites = yield* Websites
    return begun(
      yield* websites.change(args.website_id, {
        prompt: args.prompt,
        storesData: args.data_storage_required,
        startsAnew: args.ignore_existing_code,
        reasoning: args.reasoning_mode,
        generation: args.generation_type
      })
    )
  })
})

const cancelWebsiteChange = Tool.make("cancel_website_change", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Ends the change of a site that is under way, or its first writing. What is published stays. Refused where nothing is under way.",
  parameters: { website_id: websiteParam },
  returns: WebsiteView,
  errors: { NotFound: ["website_not_found"], Refused: ["nothing_to_cancel"] },
  example: { website_id: 2 },
  run: Tool.via(Websites, (websites, { website_id }) => websites.cancelChange(website_id))
})

const getWebsite = Tool.make("get_website", {
  kind: "read",
  openWorld: false,
  description:
    "Shows a site: its address, how far its writing or last change is, what that changed, and the link of its editor.",
  parameters: { website_id: websiteParam },
  returns: WebsiteView,
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1 },
  run: Tool.via(Websites, (websites, { website_id }) => websites.get(website_id))
})

const listWebsites = Tool.make("list_websites", {
  kind: "read",
  openWorld: false,
  description:
    "Lists all sites, capture pages among them, newest first, with address, state and the link of the editor.",
  parameters: {},
  returns: Schema.Struct({ websites: Schema.Array(WebsiteView), total: Schema.Int }),
  example: {},
  run: Tool.via(Websites, (websites) => Effect.map(websites.list(), (list) => ({ websites: list, total: list.length })))
})

const getWebsiteSettings = Tool.make("get_website_settings", {
  kind: "read",
  openWorld: false,
  description:
    "Shows a site's title, language, guidelines, and whether it is restricted, with the access code that opens it then.",
  parameters: { website_id: websiteParam },
  returns: WebsiteSettings,
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1 },
  run: Tool.via(Websites, (websites, { website_id }) => websites.settings(website_id))
})

const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send title, language_key, restricted or guidelines."
)

const setWebsiteSettings = Tool.make("set_website_settings", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets a site's title, language, restriction and guidelines; what is not sent stays. A title is published at once: in the header, in the browser's title and on the social card. Guidelines hold for what is written and changed from then on, the language only for what is written from scratch (change_website with ignore_existing_code), so pages stay in the language they are in until then; a restriction holds on a visitor's next request.",
  parameters: {
    website_id: websiteParam,
    title: Param.optional(Param.text("At most 60 characters.", { minLength: 1, maxLength: longestTitle })),
    language_key: Param.optional(Param.text("In the form xx-xx, for example pt-br.", { maxLength: 20 })),
    restricted: Param.optional(
      Param.boolean("Whether only the account's members, and who has its access code, may see it.")
    ),
    guidelines: Param.optional(
      Param.text("Standing wishes that each writing and change follows; a blank one clears them.", {
        maxLength: longestGuidelines
      })
    )
  },
  returns: WebsiteSettings,
  errors: {
    NotFound: ["website_not_found"],
    Refused: ["daily_change_limit", "language_invalid", "language_needs_model", "nothing_to_change"]
  },
  example: { website_id: 1, guidelines: "Trate o visitante por você. Nada de pontos de exclamação." },
  run: Effect.fnUntraced(function* ({ website_id, ...changes }) {
    if (Object.values(changes).every((value) => value === undefined)) return yield* nothingToChange
    const websites = yield* Websites
    return yield* websites.setSettings(website_id, changes)
  })
})

const changeWebsiteSubdomain = Tool.make("change_website_subdomain", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes the part of a site's address before the site domain. The name before leads to the new one for 90 days, and nobody else can have it meanwhile.",
  parameters: {
    website_id: websiteParam,
    new_subdomain: Param.text(
      "Letters without accents, digits and hyphens, 3 to 63 of them, without the site domain.",
      { maxLength: 200 }
    )
  },
  returns: WebsiteView,
  errors: {
    NotFound: ["website_not_found"],
    Refused: ["name_not_accepted", "name_reserved", "name_taken", "too_many_names"]
  },
  example: { website_id: 1, new_subdomain: "ondas-agenda-online" },
  run: Tool.via(Websites, (websites, { new_subdomain, website_id }) => websites.changeName(website_id, new_subdomain))
})

const archiveWebsite = Tool.make("archive_website", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Takes a site from the web for good: visitors find nothing on their next request, and its name is given up. Answers it as it last was.",
  parameters: { website_id: websiteParam },
  returns: WebsiteView,
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 2 },
  run: Tool.via(Websites, (websites, { website_id }) => websites.archive(website_id))
})

export const WebsitesGroup = Tool.group(
  "Websites",
  "Websites that are written, changed, published and measured.",
  [
    registerWebsite,
    changeWebsite,
    cancelWebsiteChange,
    getWebsite,
    listWebsites,
    getWebsiteCode,
    listWebsiteCode,
    createWebsiteSnapshot,
    listWebsiteSnapshots,
    restoreWebsiteSnapshot,
    getWebsiteSettings,
    setWebsiteSettings,
    changeWebsiteSubdomain,
    exportWebsiteCode,
    archiveWebsite,
    crawlWebsite,
    screenshotWebsite,
    ...websiteTrafficTools
  ],
  [websiteKind]
)
