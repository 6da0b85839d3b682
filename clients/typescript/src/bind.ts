import type { CallOptions, Client } from "./client.ts"
import { each, pages } from "./pages.ts"
import type { PagedTool, Rest, RowOf, Tool, ToolInfo } from "./tool.ts"

/** A paged tool of one client, with its rows and pages as async iterators. */
interface BoundList<Args, Answer, Reasons, Row> extends BoundTool<Args, Answer, Reasons> {
  readonly each: (...rest: Rest<Args>) => AsyncGenerator<Row, void>
  readonly pages: (...rest: Rest<Args>) => AsyncGenerator<Answer, void>
}

interface BoundTool<Args, Answer, Reasons> {
  (...rest: Rest<Args>): Promise<Answer>
  readonly tool: ToolInfo
  /** Never there: what the compiler knows of the tool. */
  readonly types?: { readonly reasons: Reasons }
}

type Bound<T> =
  T extends PagedTool<infer Args, infer Answer, infer Reasons, infer Key>
    ? BoundList<Args, Answer, Reasons, RowOf<Answer, Key>>
    : T extends Tool<infer Args, infer Answer, infer Reasons>
      ? BoundTool<Args, Answer, Reasons>
      : never

/** The tools of a group for one client. */
export type Namespace<Tools> = { readonly [Name in keyof Tools]: Bound<Tools[Name]> }

type AnyTool = Tool<object, object, unknown> | PagedTool<object, object, unknown, never>

/** The tools of a module as functions that know their client. */
export function bind<Tools extends object>(client: Client, tools: Tools): Namespace<Tools>
export function bind(client: Client, tools: Readonly<Record<string, AnyTool>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const call = (args?: object, options?: CallOptions) => client.call(tool.tool, args, options)
      return [
        name,
        "rows" in tool
          ? Object.assign(call, {
              tool: tool.tool,
              each: (...rest: Rest<object>) => each(client, tool, ...rest),
              pages: (...rest: Rest<object>) => pages(client, tool, ...rest)
            })
          : Object.assign(call, { tool: tool.tool })
      ]
    })
  )
}
