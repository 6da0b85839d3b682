import { jsonResponse, type Node, plainResponse } from "./ErrorResponses.ts"
import {
  id,
  inPath,
  inQuery,
  json,
  later,
  list,
  notSetUp,
  object,
  open,
  page,
  text,
  tooLarge
} from "./OperationShapes.ts"

const form = (properties: Node, required: ReadonlyArray<string>): Node => ({
  "application/x-www-form-urlencoded": { schema: object(properties, required) }
})
const oauthError = (description: string): Node =>
  jsonResponse(description, object({ error: text, error_description: text }, ["error"]))
const authorizationQuery: ReadonlyArray<Node> = [
  inQuery("client_id", "Of a registration, or the https address of the program's metadata document.", text, true),
  inQuery("redirect_uri", "One of the program's own addresses.", text, true),
  inQuery("response_type", "code.", text, true),
  inQuery("code_challenge", "SHA-256 of the verifier, base64url (PKCE).", text, true),
  inQuery("code_challenge_method", "S256.", text, true),
  inQuery("scope", "read, write, destructive, and names of groups of tools; every kind unless told."),
  inQuery("state", "Comes back as it was."),
  inQuery(
    "resource",
    "The address that the token is for: the gateway, a prefix of its tools, or /mcp and what lies below it (RFC 8707)."
  )
]
const consentAnswers: Node = {
  200: page("The page."),
  303: plainResponse("The request is refused, in the words of RFC 6749, at the program's address."),
  400: page("The program or its address is not known: nobody is sent anywhere."),
  ...later
}

/** The operations by which programs get tokens (OAuth 2.1). */
export const authorization: Node = {
  "/.well-known/oauth-authorization-server": {
    get: open({
      id: "authorization_server_metadata",
      summary: "Tell of the authorization server",
      description: "RFC 8414.",
      answers: { 200: jsonResponse("The metadata.", object({ issuer: text, scopes_supported: list })) }
    })
  },
  "/.well-known/oauth-protected-resource": {
    get: open({
      id: "resource_metadata",
      summary: "Tell where tokens for /mcp come from",
      description: "RFC 9728.",
      answers: { 200: jsonResponse("The metadata.", object({ resource: text, authorization_servers: list })) }
    })
  },
  "/.well-known/oauth-protected-resource/{address}": {
    parameters: [
      inPath("address", "The path that a person gave the program: mcp or what lies below it, or a prefix of tools.")
    ],
    get: open({
      id: "resource_metadata_of_address",
      summary: "Say where tokens for an address come from",
      description: "RFC 9728; the path may have several parts.",
      answers: {
        200: jsonResponse("The metadata.", object({ resource: text, authorization_servers: list })),
        ...notSetUp
      }
    })
  },
  "/oauth/authorize": {
    parameters: authorizationQuery,
    get: open({
      id: "consent_page",
      summary: "Ask an owner whether to let a program in",
      description: "Shows who asks, who vouches for it and what it may do. Nothing is given yet.",
      answers: consentAnswers
    }),
    post: open({
      id: "give_consent",
      summary: "Let a program in, or not",
      description: "The page's buttons. What is ticked can only be less than what was asked for.",
      body: form({ token: text, scope: list, confirmation: text, answer: text }, ["answer"]),
      answers: {
        ...consentAnswers,
        303: plainResponse(
          "Back to the program, with a code that holds for two minutes or the reason why there is none."
        ),
        401: page("The page again: the token does not hold."),
        422: page("The page again: nothing is ticked."),
        ...tooLarge
      }
    })
  },
  "/oauth/token": {
    post: open({
      id: "give_program_token",
      summary: "Exchange a code or a refresh token",
      description: "Each is good once; one that comes again ends the program's access.",
      body: form(
        {
          grant_type: text,
          client_id: text,
          code: text,
          redirect_uri: text,
          code_verifier: text,
          refresh_token: text,
          resource: text,
          scope: text
        },
        ["grant_type", "client_id"]
      ),
      answers: {
        200: jsonResponse(
          "The tokens.",
          object({ access_token: text, token_type: text, expires_in: id, refresh_token: text, scope: text })
        ),
        400: oauthError("Refused, in the words of RFC 6749."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/oauth/register": {
    post: open({
      id: "register_program",
      summary: "Register a program",
      description: "RFC 7591. The id carries what the program says of itself, and nothing is stored.",
      body: json(object({ client_name: text, redirect_uris: list }, ["redirect_uris"])),
      answers: {
        201: jsonResponse("Registered.", object({ client_id: text, client_name: text, redirect_uris: list })),
        400: oauthError("Refused, in the words of RFC 7591."),
        ...tooLarge,
        ...later
      }
    })
  },
  "/oauth/revoke": {
    post: open({
      id: "revoke_program_token",
      summary: "Give a program's token back",
      description: "RFC 7009. Either token ends the program's access; of others nothing is told.",
      body: form({ token: text, client_id: text }, ["token"]),
      answers: { 200: plainResponse("It is worth nothing now."), ...tooLarge, ...later }
    })
  }
}
