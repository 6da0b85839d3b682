import type * as clientTools from "../../../clients/typescript/src/generated/tools.ts"

/** Converts `searchLeads` to `search_leads`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Uppercase<First>
    ? First extends Lowercase<First>
      ? `${First}${Snake<Rest>}`
      : `_${Lowercase<First>}${Snake<Rest>}`
    : `${First}${Snake<Rest>}`
  : ""

interface Typed<Args, Answer> {
  readonly types?: { readonly args: Args; readonly answer: Answer }
}

type Functions = typeof clientTools

/** The generated client's tools, by the names that the catalog gives them. */
type Tools = { readonly [Name in keyof Functions as Snake<Name & string>]: Functions[Name] }

export type ToolName = keyof Tools
export type ArgumentsOf<Name extends ToolName> =
  Tools[Name] extends Typed<infer Args extends object, unknown> ? Args : never
export type AnswerOf<Name extends ToolName> = Tools[Name] extends Typed<unknown, infer Answer> ? Answer : never

/** Tools of test accounts. A gateway may lack them, so they are looked up in the catalog before they are called. */
export type TestAccountTool =
  | "advance_test_clock"
  | "create_test_account"
  | "delete_test_account"
  | "get_test_clock"
  | "list_test_accounts"
  | "play_prospect"
  | "reset_test_account"

const platformTools: ReadonlySet<string> = new Set<ToolName | TestAccountTool>([
  "adopt_token",
  "advance_test_clock",
  "close_account",
  "create_test_account",
  "create_token",
  "delete_test_account",
  "erase_person",
  "export_account",
  "export_audit_log",
  "export_person",
  "find_person",
  "get_request",
  "get_test_clock",
  "get_usage",
  "list_audit_entries",
  "list_request_errors",
  "list_requests",
  "list_test_accounts",
  "list_tokens",
  "list_webhook_attempts",
  "play_prospect",
  "reopen_account",
  "replay_webhook_events",
  "reset_test_account",
  "rotate_token",
  "rotate_webhook_secret",
  "set_webhook_filter",
  "update_token",
  "verify_audit_log"
])

/** The catalog that has a tool. */
export const catalogOf = (tool: string): "rest" | "platform" => (platformTools.has(tool) ? "platform" : "rest")

export const pathOf = (tool: string): string => `/console/api/${catalogOf(tool)}/v1/tools/${tool}`
