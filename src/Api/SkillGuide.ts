import { Option } from "effect"
import { type Prefix, platformPrefix } from "../Api.ts"
import type { Cooperative } from "../Services/Core/Cooperative.ts"
import type { Catalog } from "../Tools/Core/Catalog.ts"
import type { Group } from "../Tools/Core/Tool.ts"
import { answerSchemas } from "../Tools/Core/ToolSchema.ts"
import { toolsByRules } from "../Tools/Core/ToolsByRules.ts"
import { backgroundTools, toolEntries } from "./SkillGuide/ToolEntries.ts"

/** The guide's metadata at its start. */
export const frontMatter: ReadonlyArray<string> = [
  "---",
  "name: prospecting-gateway",
  'description: "Work with a sales-prospecting account over HTTP: leads, outreach, campaigns, meetings, voice calls, reports, websites, media, integrations and settings. Use it to find out which tool to call, with which arguments, and what to do when a call fails."',
  "---",
  ""
]

const start = (baseUrl: string, firstCall: string, toolCount: number): ReadonlyArray<string> => [
  "# Prospecting gateway",
  "",
  `${toolCount} tools of a sales-prospecting platform. A tool is one operation with named parameters; you call it over HTTP`,
  "and get JSON. Every call acts as the account that the access token belongs to, with that account's data and limits.",
  "",
  "## Start",
  "",
  "```sh",
  `BASE="${baseUrl}"`,
  'AUTH="Authorization: Bearer $ACCESS_TOKEN"',
  firstCall,
  "```",
  "",
  "The list of tools stands at the end, by groups: read the page of the group you need, or ask for one tool by name",
  "with `GET /rest/v1/tools/{tool_name}`.",
  "",
  "The examples below use these two variables. `--json` needs curl 7.82 or newer; with an older one send the header",
  "`Content-Type: application/json` and use `-d`.",
  ""
]

const authentication = (has: (name: string) => boolean): ReadonlyArray<string> => [
  "## Authenticate",
  "",
  "- Send `Authorization: Bearer <ACCESS_TOKEN>` on every route under `/rest/v1` and `/api/v1`, discovery included.",
  `- Tokens begin with \`pgw_\`. The account's owner makes one in the console${
    has("generate_mcp_token") ? "; `generate_mcp_token` makes another one, and shows its value once" : ""
  }.`,
  "- A token that is missing, mistyped, expired or revoked gets 401 with `error`, `how_to_fix` and `documentation`.",
  "  Do not repeat the call: ask the owner for a token.",
  "- A token may have scopes. A call beyond them gets 403 `ScopeRequired`, which names what is missing: ask the owner for it.",
  "- Keep the token out of logs, messages and anything you store. `POST /platform/v1/revoke` ends a token that leaked.",
  ""
]

const routes = [
  "## Routes",
  "",
  "| Route | Use |",
  "|---|---|",
  "| `POST /rest/v1/tools/{tool_name}` | call any tool; the arguments are a JSON object (no body, `{}` and `null` mean none) |",
  "| `GET /rest/v1/call/{tool_name}` | call a tool of kind read; the arguments are the query string |",
  "| `GET /rest/v1/tools` | the catalog: every tool with the JSON Schemas of its arguments and its answer |",
  "| `GET /rest/v1/tools/{tool_name}` | one tool's entry in the catalog |",
  "| `GET /openapi.json`, `GET /SKILL.md`, `GET /SKILL/{group}.md`, `GET /health/live`, `GET /health/ready` | documents and health, without a token |",
  "",
  "The same routes exist under `/api/v1`, where a call that reached its tool answers 200 even when the tool failed: look for",
  "`error` in the body. Prefer `/rest/v1`.",
  "",
  "Tool names are exact; upper and lower case differ. Kinds: `read` changes nothing, `write` changes something, `destructive`",
  "takes something away. Ask before you call a destructive tool on someone's behalf.",
  ""
]

const argumentRules = [
  "## Arguments",
  "",
  "A value that cannot be converted without losing something is refused with 400. Nothing is rounded, cut off or guessed.",
  "",
  "| Type | Takes |",
  "|---|---|",
  "| string | text as it is; a JSON number or boolean becomes the text it was written as (`1.10` stays `1.10`) |",
  "| integer | digits with an optional minus, as a JSON number or as text; not `3.0`, `1e3`, `+5`, ` 5` or an empty text |",
  "| number | like integer, with an optional fraction after a point; not `1,5` or `1e3` |",
  '| boolean | `true`, `false`, `"true"`, `"false"`, `1`, `0`, `"1"`, `"0"` |',
  "",
  "- An unknown parameter is refused, and so is one sent twice. Objects and lists are never taken: lists are comma-separated text.",
  "- Leave a parameter out to apply its default. `null` is taken only where a parameter is optional and has no default.",
  "- Dates: `2026-03-01`, or `2026-03-01T09:30:00Z`, or with an offset such as `-03:00` (write `+` as `%2B` in a query",
  "  string). Without a zone they are UTC. An upper bound given as a day includes that day.",
  "- A value outside a closed set or a range is refused by the tool with 422; a size over its ceiling is lowered, and the answer",
  "  says which size was applied.",
  ""
]

const answers = [
  "## Answers and lists",
  "",
  "- Dates come as `YYYY-MM-DDTHH:MM:SSZ`, always UTC. Ids are whole numbers unless a table says otherwise.",
  "- A paged list answers its rows, `page`, `page_size` and `total`. Pages count from 0 (the few lists that count from 1 say",
  "  so). Ask for the next page until you have `total` rows or a page comes back empty.",
  "- Every answer has the header `X-Request-Id`: quote it when you report a problem. Send your own to find a call again.",
  ""
]

const errors = [
  "## Errors",
  "",
  "A failed call answers `error` (for a person), `type`, `reason` (a stable code; tools only) and `detail` (what to do), often",
  "with fields that help, such as the id you sent or `accepted_values`.",
  "",
  "| Status | `type` | Meaning | Do |",
  "|---|---|---|---|",
  "| 400 | `UnknownParameter`, `MissingParameter`, `ParameterTypeMismatch`, `InvalidRequestBody`, `JsonException` | the call never reached the tool | correct the arguments as `detail` says |",
  "| 401 | | the token is not accepted | stop; ask for a token |",
  "| 403 | `PlanRequired` | the account's plan does not include the tool | stop; tell the owner what `detail` says |",
  "| 403 | `ScopeRequired` | the token lacks a scope | stop; tell the owner what `detail` says |",
  "| 404 | `NotFound` | no such record in this account | find the right id with a list or search tool |",
  "| 404 | `UnknownTool` | no tool has that name | use the name that `detail` suggests, or read the catalog |",
  "| 405 | `NotReadOnly`, `MethodNotAllowed` | wrong verb | use POST |",
  "| 413, 415 | `InvalidRequestBody` | the body is too large, or compressed | send less, or uncompressed |",
  "| 422 | `Refused` | the tool ran and refused by its own criteria | decide by `reason`; do not repeat it unchanged |",
  "| 500 | `Permanent` | it cannot succeed with these arguments | do not repeat it; report it with the request id |",
  "| 503 | `Transient` | the platform or an outside service failed for now | wait `retry_after_seconds` (also the `Retry-After` header), repeat the same call, give up after a few tries |",
  "",
  "After a connection broke during a write without an `Idempotency-Key`, and where `reason` is `outcome_unknown`, read the record",
  "first to see whether the call took effect.",
  ""
]

const safeRetries = [
  "## Repeat a write safely",
  "",
  "Send `Idempotency-Key: <a new UUID>` with a write or destructive call. If no answer comes, send the same request with the same",
  "key again: the call is done once, and you get its answer with the header `Idempotency-Replayed: true`. A key belongs to one call",
  "of the account for 24 hours.",
  "",
  "| Status | `type` | Meaning | Do |",
  "|---|---|---|---|",
  "| 400 | `IdempotencyKeyInvalid` | the key is not 1 to 255 visible ASCII characters | send a UUID |",
  "| 409 | `IdempotencyKeyInUse` | the first call still runs | repeat the request after `Retry-After` |",
  "| 422 | `IdempotencyKeyReused` | the key belongs to another tool or other arguments | use a new key |",
  "",
  "Success, `NotFound`, `Refused` and `Permanent` are kept. After `Transient`, `PlanRequired` and 400 the key is free again.",
  ""
]

const dryRuns = [
  "## Try a write",
  "",
  "Send `Dry-Run: true` with a write or destructive call. The call runs and is undone: you get its real answer, with the header",
  "`Dry-Run: true` and, if something would have been sent, `Dry-Run-Effects: email=1, webhook=3`. Ids in the answer are not valid.",
  "A dry run takes no `Idempotency-Key` (400 `DryRunInvalid`). A tool that needs an outside service to answer a change refuses it",
  "(422 `DryRunUnsupported`).",
  ""
]

const longJobs = (tools: ReadonlyArray<string>): ReadonlyArray<string> =>
  tools.length === 0
    ? []
    : [
        "## Long jobs",
        "",
        "These tools answer an id at once and work in the background. Poll the read tool beside them, first after 2 seconds and",
        "then less and less often, up to once in 30 seconds. For imports, searches and whatever is generated, `status` goes from",
        "`queued` over `running` to `finished`, `failed` (with `failure_reason`) or `cancelled`, and `progress` from 0 to 100. Do not",
        "start the job again while it runs.",
        "",
        ...tools,
        ""
      ]

/** Returns the lines on which results are made by rules as long as no provider has a key. */
const byRules = (has: (name: string) => boolean): ReadonlyArray<string> => {
  const named = Object.entries(toolsByRules).map(
    ([service, tools]) => [service, Object.keys(tools).filter(has)] as const
  )
  return named.every(([, tools]) => tools.length === 0)
    ? []
    : [
        "## Results made by rules",
        "",
        "Without a provider's key, rules make the results of these tools. `whoami` lists them now in `made_by_rules`; each tool's",
        "description says what differs.",
        "",
        ...named
          .filter(([, tools]) => tools.length > 0)
          .map(([service, tools]) => `- no \`${service}\`: ${tools.map((tool) => `\`${tool}\``).join(", ")}`),
        ""
      ]
}

const events = (has: (name: string) => boolean): ReadonlyArray<string> => {
  const ways = [
    ...(has("list_account_events")
      ? [
          "- Poll `list_account_events`: pass the `next_cursor` of one answer as `since_cursor` of the next call, and you get",
          "  every event once. Keep the cursor between sessions."
        ]
      : []),
    ...(has("create_webhook_subscription")
      ? [
          "- Subscribe with `create_webhook_subscription`: events are sent to your HTTPS address as signed POSTs (Standard Webhooks:",
          "  headers `webhook-id`, `webhook-timestamp`, `webhook-signature`). The signing secret is shown once. Deliveries can repeat",
          "  and change places: use `webhook-id` to know what you have seen, answer 2xx within 15 seconds."
        ]
      : [])
  ]
  return ways.length === 0
    ? []
    : ["## Events", "", "To learn what happens in the account without asking every tool:", "", ...ways, ""]
}

/** The part of a page's address for a group: `Voice calls` is at `/SKILL/voice-calls.md`. */
export const groupSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/** The address of a group's page. */
export const groupPath = (name: string): string => `/SKILL/${groupSlug(name)}.md`

const groupLines = ({ groups }: Catalog<unknown>): ReadonlyArray<string> =>
  groups.map(
    ({ description, name, tools }) =>
      `- [${name}](${groupPath(name)}): ${description} ${tools.map((tool) => tool.name).join(", ")}`
  )

const index = (catalog: Catalog<unknown>): ReadonlyArray<string> => [
  "## Tools",
  "",
  "Each group has a page with its tools' parameters, answers, errors and a call that works. It needs no token.",
  "",
  ...groupLines(catalog),
  ""
]

const platformSection = (platform: Catalog<unknown> | undefined): ReadonlyArray<string> =>
  platform === undefined || platform.groups.length === 0
    ? []
    : [
        "## Manage the use of the API",
        "",
        `These tools are under \`${platformPrefix}\` in the place of \`/rest/v1\`, and answer like it:`,
        "",
        ...groupLines(platform),
        ""
      ]

/** Returns the tool to try first. It should say which account the token belongs to. */
const firstCall = (catalog: Catalog<unknown>): string =>
  Option.isSome(catalog.get("whoami"))
    ? 'curl -sS -H "$AUTH" "$BASE/rest/v1/call/whoami"'
    : 'curl -sS -H "$AUTH" "$BASE/rest/v1/tools"'

export interface SkillGuide {
  /** The text of `/SKILL.md`: what applies to all tools, and their names. */
  readonly overview: string
  /** The page of each group, by path. */
  readonly groups: ReadonlyMap<string, string>
}

const groupPage = (catalog: Catalog<unknown>, group: Group<unknown>, prefix?: Prefix): string =>
  [
    `# ${group.name}`,
    "",
    group.description,
    "",
    "`$BASE` and `$AUTH` are set, and arguments, answers and errors explained, in [the guide](/SKILL.md).",
    "",
    ...toolEntries(catalog, group.name, prefix)
  ].join("\n")

interface GuideOptions {
  /** The base URL without a trailing slash. */
  readonly baseUrl: string
  /** The tools under `/platform/v1`. */
  readonly platform?: Catalog<unknown>
}

/** The guide for agents in Markdown. */
export const skillGuideOf = (catalog: Catalog<unknown>, { baseUrl, platform }: GuideOptions): SkillGuide => {
  const has = (name: string): boolean => Option.isSome(catalog.get(name))
  const overview = [
    ...frontMatter,
    ...start(baseUrl, firstCall(catalog), catalog.entries.length),
    ...authentication(has),
    ...routes,
    ...argumentRules,
    ...answers,
    ...errors,
    ...safeRetries,
    ...dryRuns,
    ...longJobs(backgroundTools(catalog)),
    ...byRules(has),
    ...events(has),
    ...index(catalog),
    ...platformSection(platform)
  ].join("\n")
  return {
    overview,
    groups: new Map([
      ...catalog.groups.map((group) => [groupPath(group.name), groupPage(catalog, group)] as const),
      ...(platform?.groups ?? []).map(
        (group) => [groupPath(group.name), groupPage(platform ?? catalog, group, platformPrefix)] as const
      )
    ])
  }
}

/** Like `skillGuideOf`, but yields between parts, so that other work can run. */
export function* skillGuideInPieces(catalog: Catalog<unknown>, options: GuideOptions): Cooperative<SkillGuide> {
  yield* answerSchemas(catalog)
  return skillGuideOf(catalog, options)
}
