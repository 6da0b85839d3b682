import { Effect } from "effect"
import type { Need } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Jobs } from "../../Services/Jobs/Jobs.ts"
import { hasNews, jobOfUri, mostFollowed, ResourceNews } from "../../Services/Mcp/ResourceNews.ts"
import { NumberLiteral, type RawValue } from "../../Tools/Core/ArgumentCoercion.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import { frontMatter, groupPath, type SkillGuide } from "../SkillGuide.ts"
import { jobOf } from "./Jobs.ts"
import {
  codes,
  invalidParams,
  type JsonObject,
  membersOf,
  type Problem,
  problem,
  type ResultMembers
} from "./Protocol.ts"
import type { ScopeGuard } from "./ScopeGuard.ts"
import { frontMatterOf, type Skill, skillOf } from "./Skills.ts"
import type { CallScope } from "./Toolbox.ts"
import { lockedDown } from "./UntrustedContent.ts"

/** The resources of an endpoint. */
export interface ResourceBox<out R> {
  readonly resources: ReadonlyArray<JsonObject>
  readonly templates: ReadonlyArray<JsonObject>
  readonly skills: Effect.Effect<ReadonlyArray<Skill>>
  /** True if the caller may follow the resource, and it can change. */
  readonly hasNews: (uri: string, scope: CallScope) => boolean
  /** Starts or stops following it, for an older client. */
  readonly follow: (uri: string, isOn: boolean, scope: CallScope) => Effect.Effect<void, Problem, R>
  /** Returns the result's members. Undefined if there is no such resource. */
  readonly read: (uri: string, scope: CallScope) => Effect.Effect<ResultMembers | undefined, Problem, R>
}

const notNow = problem(503, codes.internalError, "This cannot be looked up for now. Repeat the request.")
const noSession = problem(400, codes.invalidRequest, "Only a session can follow a resource: begin with initialize.")
const tooMany = invalidParams(`A session follows at most ${mostFollowed} resources.`)

const contents = (uri: string, mimeType: string, text: string): ResultMembers =>
  membersOf({ contents: [{ uri, mimeType, text }] })

/** Records that a tool of the catalog reads. The resource's content is the tool's answer. */
const records: ReadonlyArray<{
  readonly template: string
  readonly name: string
  readonly title: string
  readonly shape: RegExp
  readonly tool: string
  readonly parameter: string
}> = [
  {
    template: "lead://{id}",
    name: "lead",
    title: "A lead, as get_lead answers it",
    shape: /^lead:\/\/(\d{1,15})$/,
    tool: "get_lead",
    parameter: "lead_id"
  },
  {
    template: "lead://{id}/conversation",
    name: "lead_conversation",
    title: "The newest messages exchanged with a lead, as get_lead_conversation answers them",
    shape: /^lead:\/\/(\d{1,15})\/conversation$/,
    tool: "get_lead_conversation",
    parameter: "lead_id"
  },
  {
    template: "file://customer/{id}",
    name: "customer_file",
    title: "A file of the account, as get_customer_file describes it",
    shape: /^file:\/\/customer\/(\d{1,15})$/,
    tool: "get_customer_file",
    parameter: "customer_file_id"
  }
]

/** The product's resources: the guide for agents, and the account's records by id. */
export const catalogResources = <R>(
  catalog: Catalog<R>,
  guide: Effect.Effect<SkillGuide>,
  guard: ScopeGuard
): ResourceBox<R | Caller | Jobs | ResourceNews> => {
  const overviewUri = "skill://prospecting-gateway/SKILL.md"
  const guides = new Map([
    [
      overviewUri,
      { name: "prospecting-gateway", title: "The guide for agents", text: ({ overview }: SkillGuide) => overview }
    ],
    ...catalog.groups.map((group) => {
      const path = groupPath(group.name)
      return [
        `skill://prospecting-gateway${path}`,
        {
          name: path.slice(1),
          title: `The guide's page ${path.slice("/SKILL/".length)}`,
          text: ({ groups }: SkillGuide) => groups.get(path) ?? ""
        }
      ] as const
    })
  ])
  const { description } = frontMatterOf(frontMatter.join("\n"))
  const offered = records.filter(({ tool }) => catalog.get(tool)._tag === "Some")

  const needOf = (uri: string): Need =>
    jobOfUri(uri) === undefined ? (guard.needOfTool("get_lead") ?? { kind: "read" }) : { kind: "read" }

  return {
    hasNews: (uri, scope) => hasNews(uri) && guard.lack(scope, needOf(uri)) === undefined,
    follow: (uri, isOn, scope) => {
      // A resource that never changes may be followed too, but has no notifications.
      if (!hasNews(uri)) return Effect.void
      const lack = guard.lack(scope, needOf(uri))
      if (lack !== undefined) return Effect.fail(lack)
      const { session } = scope
      if (session === undefined) return Effect.fail(noSession)
      return Effect.flatMap(ResourceNews, (news) =>
        isOn ? news.follow(session, uri) : Effect.as(news.leave(session, uri), true)
      ).pipe(
        Effect.mapError(() => notNow),
        Effect.filterOrFail(
          (isFollowed) => isFollowed,
          () => tooMany
        ),
        Effect.asVoid
      )
    },
    skills: Effect.map(guide, (pages) => [
      skillOf(new Map([...guides].map(([uri, { text }]) => [uri, { text: text(pages) }])))
    ]),
    resources: [...guides].map(([uri, { name, title }]) => ({
      uri,
      name,
      title,
      ...(uri === overviewUri ? { description } : {}),
      mimeType: "text/markdown"
    })),
    templates: [
      ...offered.map(({ name, template, title }) => ({
        uriTemplate: template,
        name,
        title,
        mimeType: "application/json"
      })),
      {
        uriTemplate: "job://{id}",
        name: "background_job",
        title: "How a background job stands",
        mimeType: "application/json"
      },
      {
        uriTemplate: "skill://prospecting-gateway/SKILL/{page}",
        name: "guide_page",
        title: "A page of the guide, on one group of tools",
        mimeType: "text/markdown"
      }
    ],
    read: (uri, scope) => {
      const page = guides.get(uri)
      if (page !== undefined) return Effect.map(guide, (pages) => contents(uri, "text/markdown", page.text(pages)))
      const job = jobOfUri(uri)
      if (job !== undefined) {
        const lack = guard.lack(scope, { kind: "read" })
        if (lack !== undefined) return Effect.fail(lack)
        return jobOf(job).pipe(
          Effect.map((view): ResultMembers | undefined => contents(uri, "application/json", JSON.stringify(view))),
          Effect.catchTag("NotFound", () => Effect.succeed(undefined)),
          Effect.mapError(() => notNow)
        )
      }
      for (const { parameter, shape, tool } of offered) {
        const id = shape.exec(uri)?.[1]
        if (id === undefined) continue
        const lack = guard.lack(scope, guard.needOfTool(tool))
        if (lack !== undefined) return Effect.fail(lack)
        const args = new Map<string, RawValue>([[parameter, new NumberLiteral(String(Number(id)))]])
        return catalog.call(tool, args).pipe(
          Effect.map((value): ResultMembers | undefined =>
            contents(uri, "application/json", JSON.stringify(scope.lockdown ? lockedDown(tool, value) : value))
          ),
          // An unreadable record counts as missing, so that no one learns which records other accounts have.
          Effect.catchAll((failure) => (failure._tag === "Transient" ? Effect.fail(notNow) : Effect.succeed(undefined)))
        )
      }
      return Effect.succeed(undefined)
    }
  }
}
