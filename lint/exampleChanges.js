import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

/**
 * Makes three example changes in a copy of the last commit, runs the type check and the tests of each, and fails where a
 * change touches more files than it may: `npm run example-changes`, or with `-- "an event"` one of them.
 */

/** @typedef {readonly [find: string, replacement: string]} Replacement Each text is replaced wherever it occurs. */
/** @typedef {{ name: string, mostFiles: number, edits: Record<string, ReadonlyArray<Replacement>>, tests: ReadonlyArray<string> }} Change */

/** @type {(text: string, added: string) => Replacement} */
const after = (text, added) => [text, text + added]

/** @type {Change} */
const parameterOfReadTool = {
  name: "a parameter of a read tool",
  mostFiles: 6,
  edits: {
    "src/Services/Leads/LeadSearch.ts": [after("  lastMessageFrom: Timestamp,\n", "  lastMessageBefore: Timestamp,\n")],
    "src/Layers/Leads/Sql.ts": [
      [
        "    lastMessageFrom: {",
        '    lastMessageBefore: {\n      lead: where("lastMessageBefore", (before, bind) => `last_message_at < ${bind(before)}::timestamptz`)\n    },\n    lastMessageFrom: {'
      ]
    ],
    "src/Tools/Leads/LeadLists.ts": [
      [
        "    sort_by: Param.oneOfOrElse(",
        '    last_prospecting_message_before: Param.optional(\n      Param.inclusiveUpperBound("Only leads with whom the last message is from then or earlier.")\n    ),\n    sort_by: Param.oneOfOrElse('
      ],
      after(
        "        lastMessageFrom: args.last_prospecting_message_after,\n",
        "        lastMessageBefore: args.last_prospecting_message_before,\n"
      )
    ],
    "test/Catalog/agreed/leads.json": [
      after(
        '        "name": "last_prospecting_message_after",\n        "type": "string",\n        "required": false\n      },\n',
        '      {\n        "name": "last_prospecting_message_before",\n        "type": "string",\n        "required": false\n      },\n'
      )
    ]
  },
  tests: [
    "test/Catalog/SpecCatalog.test.ts",
    "test/Catalog/CatalogLaws.test.ts",
    "test/Leads/LeadSearch.test.ts",
    "test/LeadFiles/LeadExports.test.ts"
  ]
}

/** @type {Change} */
const report = {
  name: "a report",
  mostFiles: 6,
  edits: {
    "src/Services/Reports/ReportModel.ts": [
      after(
        "export type ChangesSince = typeof ChangesSince.Type\n",
        "\nexport const CountryCount = Schema.Struct({ country: Schema.NullOr(Schema.String), leads: Schema.Int })\n"
      )
    ],
    "src/Services/Reports/Reports.ts": [
      ["  ChatAppPerformance,\n", "  ChatAppPerformance,\n  CountryCount,\n"],
      after(
        "    readonly volume: Effect.Effect<LeadVolumeEstimate, Transient, Caller>\n",
        "    readonly countries: Effect.Effect<ReadonlyArray<typeof CountryCount.Type>, Transient, Caller>\n"
      )
    ],
    "src/Layers/Reports/ReportsPostgres.ts": [
      after(
        'from "../../Services/Reports/Reports.ts"\n',
        'import type { CountryCount } from "../../Services/Reports/ReportModel.ts"\n'
      ),
      [
        "    volume: volumeEstimate",
        "    countries: Effect.gen(function* () {\n      const { accountId } = yield* Caller\n      return yield* sql<typeof CountryCount.Type>`\n        select country, count(*)::int as leads from lead where account_id = ${accountId}\n        group by country order by count(*) desc, country`.pipe(fromSql())\n    }),\n    volume: volumeEstimate"
      ]
    ],
    "src/Tools/Reports/Reports.ts": [
      ["  ChatAppPerformance,\n", "  ChatAppPerformance,\n  CountryCount,\n"],
      [
        "export const ReportsGroup",
        'const countLeadsByCountry = Tool.make("count_leads_by_country", {\n  kind: "read",\n  openWorld: false,\n  description: "Counts the leads of each country, the most first.",\n  parameters: {},\n  returns: Schema.Struct({ countries: Schema.Array(CountryCount) }),\n  example: {},\n  run: Effect.fnUntraced(function* () {\n    return { countries: yield* (yield* Reports).countries }\n  })\n})\n\nexport const ReportsGroup'
      ],
      ["  estimateLeadVolume\n]", "  estimateLeadVolume,\n  countLeadsByCountry\n]"]
    ],
    "test/Catalog/agreed/reports.json": [
      [
        "\n  }\n]",
        '\n  },\n  {\n    "name": "count_leads_by_country",\n    "kind": "R",\n    "origin": "named-here",\n    "idempotent": true,\n    "open_world": false,\n    "parameters": []\n  }\n]'
      ]
    ],
    "src/Api/Mcp/Search/data/phrases.en.json": [
      ['  "get_lead": [', '  "count_leads_by_country": ["which nations are our prospects in"],\n  "get_lead": [']
    ]
  },
  tests: [
    "test/Catalog/SpecCatalog.test.ts",
    "test/Catalog/CatalogLaws.test.ts",
    "test/Catalog/Examples.test.ts",
    "test/Mcp/Search/ToolSearch.test.ts"
  ]
}

/** @type {Change} */
const event = {
  name: "an event",
  mostFiles: 4,
  edits: {
    "src/Services/Events/AccountEvents.ts": [
      ["  meeting_cancelled: Schema", "  meeting_confirmed: Schema.Struct(meeting),\n  meeting_cancelled: Schema"]
    ],
    "src/Layers/Meetings/MeetingsPostgres.ts": [
      [
        "  { leads, notifications, sql }: MeetingServices,\n  { advance",
        "  { events, leads, notifications, sql }: MeetingServices,\n  { advance"
      ],
      [
        "    return yield* get(id)\n  }),\n\n  note:",
        '    const { ends_at, lead_id, meeting_id, starts_at } = meeting\n    yield* events.append({ type: "meeting_confirmed", data: { lead_id, meeting_id, starts_at, ends_at } })\n    return yield* get(id)\n  }),\n\n  note:'
      ]
    ],
    "test/Catalog/agreed/events-and-webhooks.json": [
      after('          "meeting_booked",\n', '          "meeting_confirmed",\n')
    ],
    "docs/how-to/webhooks.md": [
      [
        "| `meeting_booked` |",
        "| `meeting_confirmed` | `lead_id`, `meeting_id`, `starts_at`, `ends_at` |\n| `meeting_booked` |"
      ]
    ]
  },
  tests: ["test/Catalog/SpecCatalog.test.ts", "test/Events/AccountEvents.test.ts", "test/Meetings"]
}

const copy = mkdtempSync(path.join(tmpdir(), "example-changes-"))

const run = (/** @type {string} */ command, /** @type {ReadonlyArray<string>} */ ...args) =>
  execFileSync(command, args, { cwd: copy, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

const apply = (/** @type {Change} */ { edits }) => {
  for (const [file, replacements] of Object.entries(edits)) {
    const place = path.join(copy, file)
    let text = readFileSync(place, "utf8")
    for (const [find, replacement] of replacements) {
      if (!text.includes(find)) throw new Error(`${file} no longer has the text that the example changes: ${find}`)
      text = text.replaceAll(find, () => replacement)
    }
    writeFileSync(place, text)
  }
}

execFileSync("git", ["worktree", "add", "--detach", "--quiet", copy, "HEAD"])
try {
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"))
  const [only] = process.argv.slice(2)
  for (const change of [parameterOfReadTool, report, event].filter(({ name }) => only === undefined || name === only)) {
    apply(change)
    const touched = run("git", "diff", "--name-only").trim().split("\n")
    // The console's types come from the clients' generated files, which are not in the repository.
    run("npm", "run", "-s", "clients:generate")
    run("npm", "run", "-s", "typecheck")
    run("npx", "vitest", "run", ...change.tests)
    console.log(`${change.name} touches ${touched.length} files; ${change.mostFiles} are allowed`)
    if (touched.length > change.mostFiles) process.exitCode = 1
    run("git", "checkout", "--quiet", ".")
  }
} finally {
  execFileSync("git", ["worktree", "remove", "--force", copy])
}
