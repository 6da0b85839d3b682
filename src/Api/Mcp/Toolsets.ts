import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Kind } from "../../Tools/Core/Tool.ts"
import { groupSlug } from "../SkillGuide.ts"
import { type HeaderValues, headerValue } from "./Messages.ts"
import { codes, type Problem, problem } from "./Protocol.ts"

/** The tools that a path and its headers list and allow. */
export interface Toolset {
  /** True if meta-tools and everyday tools represent the whole catalog. */
  readonly isDefault: boolean
  /** Groups whose tools are listed, by slug. `all` means every group. */
  readonly groups: ReadonlySet<string>
  /** Tools that are listed in addition. */
  readonly tools: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
  readonly readOnly: boolean
}

const listOf = (value: string | undefined): ReadonlyArray<string> =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "")

export const isTrue = (value: string | undefined): boolean => value !== undefined && /^(?:true|1|yes)$/i.test(value)

const unknownItem = (what: string, name: string, knownNames: string): Problem =>
  problem(400, codes.invalidParams, `There is no ${what} ${name.slice(0, 100)}.`, { detail: knownNames })

const longestList = 300

/** The toolset for a path after `/mcp` and the headers, or the error in them. */
export const toolsetOf = (
  catalogs: ReadonlyArray<Catalog<unknown>>,
  path: string,
  headers: HeaderValues
): Toolset | Problem => {
  const [empty, ...segments] = path.split("/")
  if (empty !== "") return noSuchAddress
  const isReadOnlyPath = segments.at(-1) === "readonly"
  const rest = isReadOnlyPath ? segments.slice(0, -1) : segments
  const [mark, toolset, ...more] = rest
  if (rest.length > 0 && (mark !== "x" || toolset === undefined || toolset === "" || more.length > 0)) {
    return noSuchAddress
  }
  const slugs = new Map(catalogs.flatMap(({ groups: all }) => all.map(({ name }) => [groupSlug(name), name] as const)))
  const groups = [...listOf(toolset), ...listOf(headerValue(headers, "x-mcp-toolsets"))]
  const tools = listOf(headerValue(headers, "x-mcp-tools"))
  const excluded = listOf(headerValue(headers, "x-mcp-exclude-tools"))
  if (groups.length + tools.length + excluded.length > longestList) {
    return problem(400, codes.invalidParams, `More than ${longestList} groups and tools are named.`)
  }
  const unknownGroup = groups.find((group) => group !== "all" && group !== "default" && !slugs.has(group))
  if (unknownGroup !== undefined) {
    return unknownItem("group of tools", unknownGroup, `Groups: all, default, ${[...slugs.keys()].join(", ")}.`)
  }
  const unknownTool = tools.find((name) => catalogs.every((catalog) => catalog.get(name)._tag === "None"))
  if (unknownTool !== undefined) {
    return unknownItem("tool", unknownTool, catalogs[0]?.unknownTool(unknownTool).detail ?? "")
  }
  return {
    isDefault: groups.includes("default") || (groups.length === 0 && tools.length === 0),
    groups: new Set(groups.filter((group) => group !== "default")),
    tools: new Set(tools),
    excluded: new Set(excluded),
    readOnly: isReadOnlyPath || isTrue(headerValue(headers, "x-mcp-readonly"))
  }
}

const noSuchAddress = problem(404, codes.invalidRequest, "There is no such address.", {
  detail: "Use /mcp, /mcp/readonly, /mcp/x/all or /mcp/x/{group}[,{group}], each also with /readonly."
})

export const isProblem = (value: Toolset | Problem): value is Problem => "_tag" in value

/** True if the toolset forbids a tool. Exclusions and read-only take precedence over everything else. */
export const isForbidden = (toolset: Toolset, tool: { readonly name: string; readonly kind: Kind }): boolean =>
  toolset.excluded.has(tool.name) || (toolset.readOnly && tool.kind !== "read")

/** True if the toolset lists a tool of the catalog by its own name. */
export const lists = (toolset: Toolset, group: string, tool: { readonly name: string; readonly kind: Kind }): boolean =>
  !isForbidden(toolset, tool) &&
  (toolset.tools.has(tool.name) || toolset.groups.has("all") || toolset.groups.has(groupSlug(group)))
