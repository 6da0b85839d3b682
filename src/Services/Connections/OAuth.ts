import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../Outbound/OutboundHttp.ts"
import type { Language } from "../Text/Language.ts"

/** Which account at the service consented. */
export interface OAuthIdentity {
  /** The account's permanent identifier at the service. It stays the same when the account is renamed. */
  readonly identity: string
  /** The account's name for people, such as an address. */
  readonly label: string
  readonly settings: { readonly [name: string]: Json }
}

/** A consent that was just stored. */
export interface NewConsent extends OAuthIdentity {
  /** Whether a different account was connected before. Its data must not be used for this one. */
  readonly isOtherAccount: boolean
  readonly scopes: ReadonlyArray<string>
}

/** How the client authenticates at the token endpoint. */
export type ClientAuthentication = "basic" | "post" | "none"

/** A service that accounts connect by granting consent (OAuth 2, authorization code with PKCE). */
export interface OAuthProvider {
  /** The service's name in `connection`, and the path of its pages: `/connect/{service}`. */
  readonly service: string
  /** The prefix of refusal codes if it differs from the service: `{reasonPrefix}_not_connected`. */
  readonly reasonPrefix?: string
  /** The service's name for people, in the form used within a sentence: "the scheduling tool". */
  readonly title: { readonly [L in Language]: string }
  /** The tool that returns the link. */
  readonly connectTool: string
  readonly mode: ServiceMode
  readonly issuer: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** The endpoint for revoking grants. Without it, only the owner can end a grant at the service. */
  readonly revokeUrl?: string
  readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
  readonly authentication: ClientAuthentication
  /** The client authentication for revoking, if it differs from the usual one. */
  readonly revokeAuthentication?: ClientAuthentication
  readonly scopes: ReadonlyArray<string>
  /** If one of these scopes is not granted, nothing is connected. */
  readonly requiredScopes: ReadonlyArray<string>
  /** True if the granted scopes include the scope. By default the names are compared. */
  readonly covers?: (granted: ReadonlyArray<string>, scope: string) => boolean
  /** Additional query parameters of the consent page's address. */
  readonly parameters: { readonly [name: string]: string }
  /** Whether each refresh token can be used once and is replaced by the one in the response. */
  readonly rotatesRefreshToken: boolean
  /** Sends requests to the service. */
  readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  /** Asks the service which account the token belongs to. */
  readonly identify: (accessToken: Redacted.Redacted) => Effect.Effect<OAuthIdentity, Refused | Transient, Caller>
  /** Further changes when a consent is stored, in the same transaction. */
  readonly connected: (consent: NewConsent) => Effect.Effect<void, Transient, Caller>
  /** Cleans up at the service while the token is still valid. Failures are ignored. */
  readonly leaving: (accessToken: Redacted.Redacted) => Effect.Effect<void, Refused | Transient, Caller>
  /** Further changes when the service is disconnected, in the same transaction. */
  readonly disconnected: Effect.Effect<void, Transient, Caller>
}

/** The result of ending the connection at the service. */
export type Farewell = "done" | "unconfirmed" | "nothing_to_do"

export interface EndedConnection {
  /** False if nothing was connected. */
  readonly changed: boolean
  readonly atService: Farewell
}

/** One service's connections. Every method acts on the caller's account. */
export interface OAuthConnection {
  /**
   * A link that identifies the account and is valid for a week. It is not stored, and opening it does not connect
   * anything yet.
   */
  readonly connectionUrl: Effect.Effect<string, Transient, Caller>
  /**
   * Returns a token that is valid for at least another minute. Refused with `{service}_not_connected` or
   * `{service}_needs_reconnect`. A renewed token is stored in its own transaction before it is returned. If many
   * callers need it at once, in any process, one of them renews it.
   */
  readonly accessToken: Effect.Effect<Redacted.Redacted, Refused | Transient, Caller>
  /** Marks the token as refused by the service before it expired, so that the next caller gets a new one. */
  readonly reject: (accessToken: Redacted.Redacted) => Effect.Effect<void, Transient, Caller>
  /** Marks the consent as ended by the service. The owner is notified once and must reconnect. */
  readonly loseAccess: (reason: string) => Effect.Effect<Refused, Transient, Caller>
  /** Revokes the grant at the service if possible, and always deletes the tokens. */
  readonly disconnect: Effect.Effect<EndedConnection, Transient, Caller>
}

/** Services that accounts connect by granting consent. */
export class OAuth extends Context.Tag("OAuth")<
  OAuth,
  {
    /** Called once per service when its layer is built. In sandbox mode, a simulated server replaces the service's. */
    readonly register: (provider: OAuthProvider) => Effect.Effect<OAuthConnection>
    /**
     * Connects a simulated service without a browser, as the button on its page does. `withheld` are scopes that the
     * user deselects.
     */
    readonly consentInSandbox: (
      service: string,
      holder: string,
      withheld?: ReadonlyArray<string>
    ) => Effect.Effect<void, Refused | Transient, Caller>
  }
>() {}

/** The consent that a token of the simulated authorization server belongs to. */
export interface SimulatedConsent {
  /** The account at the simulated service: an address. */
  readonly holder: string
  readonly scopes: ReadonlyArray<string>
}

/** The state of the simulated authorization server, for the services' simulators and their pages. */
export class SimulatedConsents extends Context.Tag("SimulatedConsents")<
  SimulatedConsents,
  {
    /** None if the token is unknown, expired or revoked. */
    readonly of: (
      service: string,
      accessToken: string
    ) => Effect.Effect<Option.Option<SimulatedConsent>, Transient, Caller>
    /** Revokes all consents, as the owner can in the settings of the service. Returns their number. */
    readonly revokeAll: (service: string) => Effect.Effect<number, Transient, Caller>
    /** Expires the access tokens. They can be renewed. */
    readonly expireAll: (service: string) => Effect.Effect<number, Transient, Caller>
  }
>() {}
