import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Either } from "effect"
import type { RequestRefused, Transient } from "../../../Errors.ts"
import {
  furtherResources,
  ownResource,
  registerPath,
  resourceMetadata,
  resourceMetadataPath,
  revokePath,
  serverMetadata,
  serverMetadataPath,
  tokenPath
} from "../../../Services/Mcp/AuthorizationAddresses.ts"
import { hasRepeated } from "../../../Services/Mcp/AuthorizationRequest.ts"
import { ToolGroups } from "../../../Services/Mcp/ToolGroups.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import type { Endpoint, RequestScope } from "../../Platform/Http/Endpoint.ts"
import { noSuchRoute, refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { Settings } from "../../Platform/Settings.ts"
import { makeOAuthClients } from "./Clients.ts"
import { consentEndpoint } from "./ConsentPage.ts"
import { type Granted, type GrantFault, makeGrants } from "./Grants.ts"
import { revokeSecretEndpoint } from "./RevokeSecret.ts"

const largestBody = 16 * 1024

const noStore = { "Cache-Control": "no-store" }

const json = (status: number, body: object) => HttpServerResponse.unsafeJson(body, { status, headers: noStore })

const oauthError = (error: string, description: string) => json(400, { error, error_description: description })

const descriptions: { readonly [F in GrantFault]: string } = {
  invalid_grant: "What was presented is not worth anything, or not any more. Ask the person again.",
  invalid_target: "What was presented was given for another resource.",
  invalid_scope: "More is asked for than was granted."
}

const grantAnswer = (result: Granted | GrantFault) =>
  typeof result === "string"
    ? oauthError(result, descriptions[result])
    : json(200, {
        access_token: result.accessToken,
        token_type: "Bearer",
        expires_in: result.expiresIn,
        refresh_token: result.refreshToken,
        scope: result.scopes.join(" ")
      })

const readForm = Effect.map(endpointBody({ limit: largestBody }), (body) => body.toString("utf8"))

const failed = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Transient | RequestRefused, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchTags(effect, {
    Transient: (failure) => Effect.succeed(transientAnswer(failure)),
    RequestRefused: (refused) => Effect.succeed(refusedAnswer(refused))
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Matches the path after the metadata route, which is the address that a person gave the client. */
const mcpAddress = /^\/mcp(?:\/[a-z0-9,-]+)*$/

/**
 * The gateway's authorization server for agents: metadata, client registration, the consent page, tokens and their
 * revocation. Its tokens are rows of `access_token`, limited to a resource and to what the owner selected.
 */
export const authorizationEndpoints = Effect.gen(function* () {
  const clients = yield* makeOAuthClients
  const grants = yield* makeGrants
  const { baseUrl } = yield* Settings
  const slugs = (yield* ToolGroups).map(({ slug }) => slug)
  const document = (body: object) =>
    HttpServerResponse.unsafeJson(body, { headers: { "Cache-Control": "public, max-age=300" } })

  const resource = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const [path = ""] = url.slice(resourceMetadataPath.length).split("?")
    if (path === "") return document(resourceMetadata(baseUrl, "/mcp", slugs))
    return path.length <= 1_000 && (mcpAddress.test(path) || furtherResources.includes(path))
      ? document(resourceMetadata(baseUrl, path, slugs))
      : noSuchRoute
  })

  const register = Effect.gen(function* () {
    const client = yield* clients.register(parsed(yield* readForm))
    if (Either.isLeft(client)) {
      return oauthError(
        client.left,
        "Send redirect_uris over https, to this machine, or by a scheme of the program's own."
      )
    }
    const { id, name, redirectUris } = client.right
    return json(201, {
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"]
    })
  })

  const token = Effect.gen(function* () {
    const form = new URLSearchParams(yield* readForm)
    if (hasRepeated(form)) return oauthError("invalid_request", "A parameter stands twice.")
    const clientId = form.get("client_id")
    if (clientId === null) return oauthError("invalid_request", "client_id is missing.")
    const [target, ...others] = new Set(form.getAll("resource"))
    const resource = target === undefined || others.length > 0 ? undefined : ownResource(baseUrl, target)
    if (target !== undefined && resource === undefined) return grantAnswer("invalid_target")
    switch (form.get("grant_type")) {
      case "authorization_code":
        return grantAnswer(
          yield* grants.redeem({
            code: form.get("code") ?? "",
            clientId,
            redirectUri: form.get("redirect_uri") ?? "",
            verifier: form.get("code_verifier") ?? "",
            resource: resource
          })
        )
      case "refresh_token":
        return grantAnswer(
          yield* grants.refresh({
            refreshToken: form.get("refresh_token") ?? "",
            clientId,
            resource: resource,
            scopes: (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "")
          })
        )
      default:
        return oauthError("unsupported_grant_type", "Use authorization_code or refresh_token.")
    }
  })

  const revoke = Effect.gen(function* () {
    const form = new URLSearchParams(yield* readForm)
    yield* grants.revoke(form.get("token") ?? "", form.get("client_id") ?? "")
    return HttpServerResponse.empty({ status: 200, headers: noStore })
  })

  const endpoints: ReadonlyArray<Endpoint<RequestScope>> = [
    { path: serverMetadataPath, methods: { GET: document(serverMetadata(baseUrl, slugs)) } },
    { path: resourceMetadataPath, methods: { GET: resource } },
    { path: `${resourceMetadataPath}/*`, methods: { GET: resource } },
    yield* consentEndpoint(clients, grants),
    { path: tokenPath, methods: { POST: failed(token) } },
    { path: registerPath, methods: { POST: failed(register) } },
    { path: revokePath, methods: { POST: failed(revoke) } },
    yield* revokeSecretEndpoint(grants)
  ]
  return endpoints
})
