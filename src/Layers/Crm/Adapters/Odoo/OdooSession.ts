import { Effect, Redacted } from "effect"
import { type Credentials, CrmFailure, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { orIfMissing } from "../../Calling/CrmPages.ts"
import { at, listAt, numberAt } from "../../Calling/JsonPath.ts"

/** The first version with the JSON-2 interface. The next version removes the older one. */
const firstWithJson2 = 19
export const largestPage = 200

export type Term = readonly [field: string, operator: string, value: unknown]
export type Domain = ReadonlyArray<string | Term>

const valueOf = (credentials: Credentials, name: "url" | "database" | "username" | "api_key"): string => {
  const value = credentials.get(name)
  return value === undefined ? "" : Redacted.value(value)
}

export const urlOf = (credentials: Credentials): string => valueOf(credentials, "url").replace(/\/+$/, "")

/** A user's session at a server: calls of model methods, by the interface that the server has. */
export const makeOdooSession = (send: SendToCrm, credentials: Credentials) => {
  const database = valueOf(credentials, "database")
  const login = valueOf(credentials, "username")
  const key = valueOf(credentials, "api_key")
  let session: { readonly uid: number; readonly isJson2: boolean } | undefined

  const jsonRpc = (service: string, method: string, args: ReadonlyArray<unknown>, isRead: boolean) =>
    Effect.map(
      send({
        method: "POST",
        path: "/jsonrpc",
        json: { jsonrpc: "2.0", method: "call", id: 1, params: { service, method, args } },
        isRead
      }),
      ({ json }) => at(json, "result")
    )

  /** The user of the key and the server's interface. Both are read once. */
  const signedIn = Effect.suspend(() => (session === undefined ? signIn : Effect.succeed(session)))
  const signIn = Effect.gen(function* () {
    const version = yield* jsonRpc("common", "version", [], true).pipe(
      // A server without the older interface has the newer one.
      orIfMissing({ server_version_info: [firstWithJson2] })
    )
    const isJson2 = (numberAt(version, "server_version_info", 0) ?? 0) >= firstWithJson2
    const uid = isJson2
      ? yield* Effect.map(json2("res.users", "context_get", {}, true), (context) => at(context, "uid") ?? 0)
      : yield* jsonRpc("common", "authenticate", [database, login, key, {}], true)
    if (typeof uid !== "number") return yield* new CrmFailure({ kind: "unauthorized" })
    session = { uid: uid, isJson2 }
    return session
  })

  const json2 = (model: string, method: string, args: { readonly [name: string]: unknown }, isRead: boolean) =>
    Effect.map(
      send({
        method: "POST",
        path: `/json/2/${model}/${method}`,
        headers: { authorization: `bearer ${key}`, ...(database === "" ? {} : { "x-odoo-database": database }) },
        json: args,
        isRead
      }),
      ({ json }) => json
    )

  /** Calls a model's method with the `ids` of its records and named arguments. */
  const call = Effect.fnUntraced(function* (
    model: string,
    method: string,
    ids: ReadonlyArray<number> | undefined,
    named: { readonly [name: string]: unknown },
    isRead: boolean
  ) {
    const { isJson2, uid } = yield* signedIn
    if (isJson2) return yield* json2(model, method, { ...(ids === undefined ? {} : { ids }), ...named }, isRead)
    const args = [database, uid, key, model, method, ids === undefined ? [] : [ids], named]
    return yield* jsonRpc("object", "execute_kw", args, isRead)
  })

  /** Up to version 18 the values are passed by position, because the server reads its first positional argument. */
  const createAll = Effect.fnUntraced(function* (model: string, all: ReadonlyArray<object>) {
    const { isJson2, uid } = yield* signedIn
    return yield* isJson2
      ? json2(model, "create", { vals_list: all }, false)
      : jsonRpc("object", "execute_kw", [database, uid, key, model, "create", [all], {}], false)
  })

  const searchRead = (model: string, domain: Domain, fields: ReadonlyArray<string>, more: object = {}) =>
    Effect.map(call(model, "search_read", undefined, { domain, fields, limit: largestPage, ...more }, true), (rows) =>
      listAt({ rows }, "rows")
    )

  return { call, createAll, database, searchRead }
}
