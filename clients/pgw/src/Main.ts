import { stripVTControlCharacters } from "node:util"
import { Args, Command, Options, ValidationError } from "@effect/cli"
import { NodeContext } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Option } from "effect"
import { asksForHelp, commandHelp } from "../../../src/Layers/Platform/Operators/CommandHelp.ts"
import packageFile from "../package.json" with { type: "json" }
import { callTool } from "./CallTool.ts"
import { mendedCompletion, type Shell, shells } from "./CompletionScript.ts"
import { explained, PgwError } from "./ExitCodes.ts"
import { loginInBrowser } from "./Login.ts"
import { formatFor, note, print, renderAnswer, renderRows } from "./Output.ts"
import {
  activeProfile,
  defaultUrl,
  profileName,
  readProfiles,
  removeProfile,
  saveProfile,
  useProfile
} from "./Profiles.ts"
import { tailRequests } from "./Requests.ts"
import { openSession } from "./Session.ts"
import { loadTools, toolNamed } from "./ToolCatalog.ts"
import { callCommand, describeTool, outputOption, printTools } from "./ToolCommands.ts"
import { importFile, listen, printEvents, printSandboxMail, sandboxReply, waitWithBar } from "./Work.ts"

const name = "pgw"

/** `--profile NAME` may be anywhere, and `--lead_id` means `--lead-id`. */
const readArguments = (words: ReadonlyArray<string>) => {
  const args: Array<string> = []
  let profile: string | undefined
  for (let at = 0; at < words.length; at++) {
    const arg = words[at] ?? ""
    if (arg === "--profile") profile = words[++at]
    else if (arg.startsWith("--profile=")) profile = arg.slice("--profile=".length)
    else args.push(arg.replace(/^--[a-z0-9_-]+/, (flag) => flag.replaceAll("_", "-").replace(/^-+/, "--")))
  }
  return { args, profile }
}

const { args, profile } = readArguments(process.argv.slice(2))

const client = () => openSession(profile)
const tools = async () => {
  const active = await activeProfile(profile)
  return await loadTools(active.profile.url)
}

/** A command's work. Its failures are explained at the end. */
const run = (work: () => Promise<void>) => Effect.tryPromise({ try: work, catch: (cause) => cause })

const readToken = async (): Promise<string> => {
  let text = ""
  for await (const chunk of process.stdin) text += String(chunk)
  const token = text.trim()
  if (token === "") throw new PgwError("Standard input has no token.")
  return token
}

const login = Command.make(
  "login",
  {
    url: Options.text("url").pipe(
      Options.withDescription("The gateway's address."),
      Options.withDefault(process.env["PGW_URL"] ?? defaultUrl)
    ),
    tokenStdin: Options.boolean("token-stdin").pipe(
      Options.withDescription("Reads an access token from standard input instead of asking in a browser.")
    )
  },
  ({ tokenStdin, url }) =>
    run(async () => {
      const address = url.replace(/\/+$/, "")
      const newProfile = tokenStdin
        ? { url: address, token: await readToken() }
        : await loginInBrowser(address, (consent) => note(`Open this address to log in:\n${consent}`))
      const into = await profileName(profile)
      await saveProfile(into, newProfile)
      note(`Logged in to ${address} as profile ${into}.`)
    })
).pipe(Command.withDescription("Logs in to a gateway, in a browser or with a token."))

const logout = Command.make("logout", {}, () =>
  run(async () => {
    const of = await profileName(profile)
    await removeProfile(of)
    note(`Removed the profile ${of}. Its token still works: revoke_mcp_token ends it.`)
  })
).pipe(Command.withDescription("Removes the profile from this machine."))

const profiles = Command.make("profiles").pipe(
  Command.withDescription("Gateways and accounts that you are logged in to."),
  Command.withSubcommands([
    Command.make("list", { output: outputOption }, ({ output }) =>
      run(async () => {
        const file = await readProfiles()
        const rows = Object.entries(file.profiles).map(([of, { url }]) => ({
          name: of,
          url,
          current: of === file.current
        }))
        await print(renderRows(rows, formatFor(Option.getOrUndefined(output))))
      })
    ).pipe(Command.withDescription("Lists the profiles.")),
    Command.make("use", { name: Args.text({ name: "name" }) }, ({ name: of }) => run(() => useProfile(of))).pipe(
      Command.withDescription("Makes a profile the current one.")
    )
  ])
)

const toolsCommand = Command.make(
  "tools",
  { words: Args.repeated(Args.text({ name: "search" })), output: outputOption },
  ({ output, words }) =>
    run(async () => printTools(await tools(), words.join(" "), formatFor(Option.getOrUndefined(output))))
).pipe(Command.withDescription("Lists the tools, or those that a search finds."))

const describe = Command.make("describe", { tool: Args.text({ name: "tool" }) }, ({ tool }) =>
  run(async () => describeTool(await tools(), tool))
).pipe(Command.withDescription("Explains a tool: what it does, its parameters and its errors."))

/** A short name of a list. */
const listOf = (tool: string, description: string) =>
  Command.make(
    "list",
    {
      query: Options.text("query").pipe(Options.withDescription("What to search for."), Options.optional),
      all: Options.boolean("all").pipe(Options.withDescription("All pages.")),
      output: outputOption
    },
    ({ all, output, query }) =>
      run(async () => {
        const listTool = toolNamed(await tools(), tool)
        if (Option.isSome(query) && !listTool.parameters.some((parameter) => parameter.name === "query")) {
          throw new PgwError(`${tool} cannot search.`, "Leave --query out.")
        }
        const values = Option.isSome(query) ? { query: query.value } : {}
        await callTool(await client(), listTool, values, { all, format: Option.getOrUndefined(output) })
      })
  ).pipe(Command.withDescription(description))

const getOf = (tool: string, parameter: string, description: string) =>
  Command.make("get", { id: Args.integer({ name: "id" }), output: outputOption }, ({ id, output }) =>
    run(async () =>
      callTool(
        await client(),
        toolNamed(await tools(), tool),
        { [parameter]: id },
        { format: Option.getOrUndefined(output) }
      )
    )
  ).pipe(Command.withDescription(description))

const leads = Command.make("leads").pipe(
  Command.withDescription("The people that the account wants to win."),
  Command.withSubcommands([
    listOf("search_leads", "Lists leads."),
    getOf("get_lead", "lead_id", "Shows a lead."),
    Command.make(
      "import",
      {
        file: Args.text({ name: "file" }),
        campaign: Options.text("campaign").pipe(Options.withDescription("Its name or number."), Options.optional),
        wait: Options.boolean("wait").pipe(Options.withDescription("Waits until the import is finished.")),
        output: outputOption
      },
      ({ campaign, file, output, wait }) =>
        run(async () =>
          importFile(await client(), file, {
            campaign: Option.getOrUndefined(campaign),
            wait,
            format: formatFor(Option.getOrUndefined(output))
          })
        )
    ).pipe(Command.withDescription("Imports a spreadsheet: .csv, .txt, .xlsx or .xls."))
  ])
)

const campaigns = Command.make("campaigns").pipe(
  Command.withDescription("Campaigns."),
  Command.withSubcommands([listOf("list_campaigns", "Lists campaigns.")])
)

const typesOption = Options.text("types").pipe(
  Options.withDescription("Only these types, separated by commas."),
  Options.optional
)

const events = Command.make(
  "events",
  {
    follow: Options.boolean("follow").pipe(Options.withAlias("f"), Options.withDescription("Waits for new events.")),
    since: Options.integer("since").pipe(Options.withDescription("Only events after this cursor."), Options.optional),
    types: typesOption,
    output: outputOption
  },
  ({ follow, output, since, types }) =>
    run(async () =>
      printEvents(await client(), {
        follow,
        since: Option.getOrUndefined(since),
        types: Option.getOrUndefined(types),
        format: formatFor(Option.getOrUndefined(output))
      })
    )
).pipe(Command.withDescription("What happened in the account."))

const jobs = Command.make("jobs").pipe(
  Command.withDescription("Work that continues after its tool has answered."),
  Command.withSubcommands([
    listOf("list_background_jobs", "Lists jobs."),
    Command.make("wait", { job: Args.text({ name: "job" }), output: outputOption }, ({ job, output }) =>
      run(async () => {
        const ended = await waitWithBar(await client(), job)
        await print(renderAnswer(ended, undefined, formatFor(Option.getOrUndefined(output))))
      })
    ).pipe(Command.withDescription("Waits until a job is finished."))
  ])
)

const requests = Command.make("requests").pipe(
  Command.withDescription("The log of the account's requests."),
  Command.withSubcommands([
    Command.make(
      "tail",
      {
        lines: Options.integer("lines").pipe(
          Options.withAlias("n"),
          Options.withDescription("How many past requests come first, at most 200."),
          Options.withDefault(10)
        ),
        failed: Options.boolean("failed").pipe(Options.withDescription("Only requests that failed.")),
        tool: Options.text("tool").pipe(Options.withDescription("Only calls of this tool."), Options.optional),
        output: outputOption
      },
      ({ failed, lines, output, tool }) =>
        run(async () =>
          tailRequests(await client(), {
            lines,
            failed,
            tool: Option.getOrUndefined(tool),
            format: formatFor(Option.getOrUndefined(output))
          })
        )
    ).pipe(Command.withDescription("Shows the last requests, and each new one."))
  ])
)

const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Deliveries of events."),
  Command.withSubcommands([
    listOf("list_webhook_subscriptions", "Lists subscriptions."),
    Command.make(
      "listen",
      {
        forward: Options.text("forward").pipe(
          Options.withDescription("Where to send events, such as http://localhost:3000.")
        ),
        secret: Options.text("secret").pipe(
          Options.withDescription("The secret to sign with; by default a new one, which is printed."),
          Options.optional
        ),
        types: typesOption
      },
      ({ forward, secret, types }) =>
        run(async () =>
          listen(await client(), forward, {
            secret: Option.getOrUndefined(secret),
            types: Option.getOrUndefined(types)
          })
        )
    ).pipe(Command.withDescription("Sends new events to a program on this machine, signed like webhooks."))
  ])
)

const sandbox = Command.make("sandbox").pipe(
  Command.withDescription("The simulated mail server of a gateway without credentials."),
  Command.withSubcommands([
    Command.make("mail", { output: outputOption }, ({ output }) =>
      run(async () => printSandboxMail(await client(), formatFor(Option.getOrUndefined(output))))
    ).pipe(Command.withDescription("Lists simulated mail.")),
    Command.make(
      "reply",
      {
        mail: Args.integer({ name: "mail" }),
        text: Options.text("text").pipe(Options.withDescription("What the lead answers.")),
        output: outputOption
      },
      ({ mail, output, text }) =>
        run(async () => sandboxReply(await client(), mail, text, formatFor(Option.getOrUndefined(output))))
    ).pipe(Command.withDescription("Answers a simulated mail as its recipient."))
  ])
)

const completion = Command.make(
  "completion",
  {
    shell: Args.choice(
      shells.map((shell) => [shell, shell] as [string, Shell]),
      { name: "shell" }
    )
  },
  () => Effect.void
).pipe(Command.withDescription("Prints a script that completes commands, tools and parameters."))

/** `call` needs the gateway's tools. Other commands work without a gateway. */
const program = async () => {
  const needsTools = args[0] === "call" || args[0] === "completion"
  const call = needsTools ? callCommand(await tools(), args[0] === "call" ? args[1] : undefined, client) : undefined
  return Command.make(name).pipe(
    Command.withDescription("The command line of the prospecting gateway. pgw login comes first."),
    Command.withSubcommands([
      login,
      logout,
      profiles,
      toolsCommand,
      describe,
      call ?? Command.make("call").pipe(Command.withDescription("Calls a tool, with its parameters as flags.")),
      leads,
      campaigns,
      events,
      jobs,
      requests,
      webhooks,
      sandbox,
      completion
    ])
  )
}

/** The library colours its explanations. They are plain here, as NO_COLOR asks for. */
const withOwnConsole = <A, E, R>(effect: Effect.Effect<A, E, R>, shell: Shell | undefined): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts: ReadonlyArray<unknown>) => {
        const text = texts.map(String).join(" ")
        return Effect.promise(() => print(shell === undefined ? text : mendedCompletion(shell, text)))
      },
      error: (...texts: ReadonlyArray<unknown>) =>
        Effect.sync(() => note(texts.map((text) => stripVTControlCharacters(String(text)).trimEnd()).join(" ")))
    })
  )

const main = async (): Promise<number> => {
  const command = await program()
  const [first, second] = args
  const words = first === "call" && second !== undefined ? [first, second.replaceAll("-", "_"), ...args.slice(2)] : args
  if (first === undefined || asksForHelp(command.descriptor, words)) {
    await print(commandHelp(name, command.descriptor, words))
    return 0
  }
  const shell = first === "completion" ? shells.find((candidate) => candidate === second) : undefined
  const commandLine = shell === undefined ? words : ["--completions", shell]
  const cli = Command.run(command, { name, version: packageFile.version })
  const exit = await Effect.runPromiseExit(
    withOwnConsole(cli([...process.argv.slice(0, 2), ...commandLine]), shell).pipe(Effect.provide(NodeContext.layer))
  )
  if (Exit.isSuccess(exit)) return 0
  const failure = Option.getOrElse(Cause.failureOption(exit.cause), () => Cause.squash(exit.cause))
  // The library has explained it.
  if (ValidationError.isValidationError(failure)) {
    note(`\n${commandHelp(name, command.descriptor, words)}`)
    return 2
  }
  throw failure
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader has enough, such as `head`.
  if (error.code === "EPIPE") process.exit(0)
})

try {
  process.exitCode = await main()
} catch (cause) {
  const { detail, exitCode, message } = explained(cause)
  note(detail === "" ? `pgw: ${message}` : `pgw: ${message}\n${detail}`)
  process.exitCode = exitCode
}
