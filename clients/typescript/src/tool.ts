import type { CallOptions, Client } from "./client.ts"

export interface ToolInfo {
  readonly name: string
  readonly path: string
  readonly isRead: boolean
}

/** The arguments may be left out if none is required. */
export type Rest<Args> =
  Record<never, never> extends Args ? [args?: Args, options?: CallOptions] : [args: Args, options?: CallOptions]

/** A tool as a function. `Reasons` has the reasons of its errors by their type. */
export interface Tool<Args, Answer, Reasons> {
  (client: Client, ...rest: Rest<Args>): Promise<Answer>
  readonly tool: ToolInfo
  /** Never there: what the compiler knows of the tool. */
  readonly types?: { readonly args: Args; readonly answer: Answer; readonly reasons: Reasons }
}

export interface RowsInfo<Key> {
  readonly key: Key
  readonly firstPage: number
}

/** A tool whose answer is a page of a list. */
export interface PagedTool<Args, Answer, Reasons, Key extends keyof Answer> extends Tool<Args, Answer, Reasons> {
  readonly rows: RowsInfo<Key>
}

export type RowOf<Answer, Key extends keyof Answer> = Answer[Key] extends ReadonlyArray<infer Row> ? Row : never

/** Makes the functions of a prefix. */
export const toolsUnder = (prefix: string) => {
  const infoOf = (name: string, isRead: boolean): ToolInfo => ({ name, path: `${prefix}/tools/${name}`, isRead })
  return {
    tool: <Args extends object, Answer, Reasons>(
      name: string,
      kind: "read" | "write" | "destructive"
    ): Tool<Args, Answer, Reasons> => {
      const tool = infoOf(name, kind === "read")
      return Object.assign(
        (client: Client, ...[args, options]: Rest<Args>) => client.call<Answer>(tool, args, options),
        { tool }
      )
    },
    paged: <Args extends object, Answer, Reasons, Key extends keyof Answer>(
      name: string,
      key: Key,
      firstPage: number
    ): PagedTool<Args, Answer, Reasons, Key> => {
      const tool = infoOf(name, true)
      return Object.assign(
        (client: Client, ...[args, options]: Rest<Args>) => client.call<Answer>(tool, args, options),
        { tool, rows: { key, firstPage } }
      )
    }
  }
}
