import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  IncidentId,
  IncidentImpact,
  IncidentStatus,
  SupportRequestId,
  SupportRequestStatus
} from "../../Services/Support/Ids.ts"
import { Incidents, type IncidentView } from "../../Services/Support/Incidents.ts"
import { type OperatorSupportRequest, SupportDesk } from "../../Services/Support/SupportRequests.ts"
import { onOneLine } from "../Platform/Operators/PrintedText.ts"
import { command, type RoomCommand } from "../Platform/Room.ts"

const described = (option: Options.Options<string>, description: string) =>
  option.pipe(Options.withDescription(description))

const accountOption = Options.integer("account").pipe(Options.withDescription("The account's id."))
const requestOption = Options.integer("request").pipe(Options.withDescription("The request's id, from support list."))
const incidentOption = Options.integer("incident").pipe(Options.withDescription("The incident's id."))

const requestText = (request: OperatorSupportRequest): string =>
  [
    `request ${request.support_request_id} of account ${request.account_id} (${request.account_name})`,
    `${request.status}, ${request.severity} ${request.type}, asked ${request.created_at}`,
    "",
    request.message,
    ...(request.answer === null ? [] : ["", `answered ${request.answered_at}:`, request.answer])
  ].join("\n")

const listRequests = Command.make(
  "list",
  {
    status: Options.choice("status", [...SupportRequestStatus.literals, "all"]).pipe(
      Options.withDescription("Requests in this state only."),
      Options.withDefault("pending" as const)
    )
  },
  ({ status }) =>
    Effect.gen(function* () {
      const desk = yield* SupportDesk
      const requests = yield* desk.list(SupportRequestStatus.literals.find((one) => one === status))
      for (const {
        account_id,
        account_name,
        created_at,
        message,
        severity,
        support_request_id,
        type,
        ...request
      } of requests) {
        const line = onOneLine(message).slice(0, 100)
        yield* Console.log(
          `account ${account_id} request ${support_request_id} ${request.status} ${severity} ${type} ${created_at} ${onOneLine(account_name)}: ${line}`
        )
      }
      yield* Console.log(`${requests.length} requests`)
    })
).pipe(Command.withDescription("Lists requests, critical ones first, then the oldest."))

const showRequest = Command.make("show", { account: accountOption, request: requestOption }, ({ account, request }) =>
  Effect.gen(function* () {
    const desk = yield* SupportDesk
    yield* Console.log(requestText(yield* desk.show(AccountId.make(account), SupportRequestId.make(request))))
  })
).pipe(Command.withDescription("Shows a request with its answer."))

const answerRequest = Command.make(
  "answer",
  {
    account: accountOption,
    request: requestOption,
    text: described(Options.text("text"), "The text that the account reads.")
  },
  ({ account, request, text }) =>
    Effect.gen(function* () {
      const desk = yield* SupportDesk
      yield* Console.log(requestText(yield* desk.answer(AccountId.make(account), SupportRequestId.make(request), text)))
    })
).pipe(
  Command.withDescription("Answers a request, or corrects its answer. The account gets an event and a notification.")
)

const closeRequest = Command.make("close", { account: accountOption, request: requestOption }, ({ account, request }) =>
  Effect.gen(function* () {
    const desk = yield* SupportDesk
    yield* Console.log(requestText(yield* desk.close(AccountId.make(account), SupportRequestId.make(request))))
  })
).pipe(Command.withDescription("Closes a request, so that it is not answered any more."))

const incidentText = ({
  components,
  impact,
  incident_id,
  is_automatic,
  status,
  title,
  updates
}: IncidentView): string =>
  [
    `incident ${incident_id}: ${title}`,
    `${status}, ${impact}, ${components.join(", ")}${is_automatic ? ", opened by the platform" : ""}`,
    ...updates.map((update) => `  ${update.created_at} ${update.status}: ${update.message}`)
  ].join("\n")

const impactOption = Options.choice("impact", IncidentImpact.literals).pipe(
  Options.withDescription("outage, degradation or instability.")
)
const componentsOption = Options.text("components").pipe(
  Options.withDescription("Parts of the platform, separated by commas: mail, webhooks, …")
)
const componentsOf = (text: string): ReadonlyArray<string> => text.split(",")
const messageOption = described(Options.text("message"), "The text that accounts read in the timeline.")

const listIncidents = Command.make(
  "list",
  {
    scope: Options.choice("scope", ["active", "past", "all"]).pipe(
      Options.withDescription("Which incidents."),
      Options.withDefault("active" as const)
    )
  },
  ({ scope }) =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      const incidentsPage = yield* incidents.list({ scope, pastLimit: 50 })
      for (const incident of incidentsPage) yield* Console.log(incidentText(incident))
      yield* Console.log(`${incidentsPage.length} incidents`)
    })
).pipe(Command.withDescription("Lists incidents with their timelines."))

const openIncident = Command.make(
  "open",
  {
    title: described(Options.text("title"), "What is wrong, in a few words."),
    impact: impactOption,
    components: componentsOption,
    message: messageOption
  },
  ({ components, ...incident }) =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      yield* Console.log(incidentText(yield* incidents.open({ ...incident, components: componentsOf(components) })))
    })
).pipe(Command.withDescription("Opens an incident that all accounts see."))

const updateIncident = Command.make(
  "update",
  {
    incident: incidentOption,
    status: Options.choice("status", IncidentStatus.literals).pipe(Options.withDescription("How far it is.")),
    message: messageOption
  },
  ({ incident, message, status }) =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      yield* Console.log(incidentText(yield* incidents.update(IncidentId.make(incident), { status, message })))
    })
).pipe(Command.withDescription("Adds to the timeline; any status except resolved reopens a resolved incident."))

const closeIncident = Command.make(
  "close",
  { incident: incidentOption, message: messageOption },
  ({ incident, message }) =>
    Effect.gen(function* () {
      const incidents = yield* Incidents
      yield* Console.log(
        incidentText(yield* incidents.update(IncidentId.make(incident), { status: "resolved", message }))
      )
    })
).pipe(Command.withDescription("Ends an incident."))

const reviseIncident = Command.make(
  "revise",
  {
    incident: incidentOption,
    title: Options.optional(described(Options.text("title"), "Another title.")),
    impact: Options.optional(impactOption),
    components: Options.optional(componentsOption)
  },
  ({ components, impact, incident, title }) =>
    Effect.gen(function* () {
      if (Option.isNone(title) && Option.isNone(impact) && Option.isNone(components)) {
        return yield* Effect.fail(
          refused("nothing_to_change", "The command changes nothing.", "Give --title, --impact or --components.")
        )
      }
      const incidents = yield* Incidents
      const revised = yield* incidents.revise(IncidentId.make(incident), {
        title: Option.getOrUndefined(title),
        impact: Option.getOrUndefined(impact),
        components: Option.getOrUndefined(Option.map(components, componentsOf))
      })
      yield* Console.log(incidentText(revised))
    })
).pipe(Command.withDescription("Changes an incident's title, impact or components."))

const support = Command.make("support").pipe(
  Command.withDescription("Requests of accounts to the people who run the platform."),
  Command.withSubcommands([listRequests, showRequest, answerRequest, closeRequest])
)

const incident = Command.make("incident").pipe(
  Command.withDescription("Outages and the like, which all accounts see."),
  Command.withSubcommands([listIncidents, openIncident, updateIncident, closeIncident, reviseIncident])
)

/** Commands with which operators help accounts. */
export const supportCommands: ReadonlyArray<RoomCommand<SupportDesk | Incidents>> = [
  command("support", support),
  command("incident", incident)
]
