import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
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
  /** Another account at the service was connected before; what was built on it is not this one's. */
  readonly isOtherAccount: boolean
  readonly scopes: ReadonlyArray<string>
}

/** How the client shows itself where tokens are given out. */
export type ClientAuthentication = "basic" | "post" | "none"

/** A service that accounts connect by their consent (OAuth 2, authorization code with PKCE). */
export interface OAuthProvider {
  /** The service's name in `connection`, and the path of its pages: `/connect/{service}`. */
  readonly service: string
  /** The prefix of refusal codes if it differs from the service: `{reasonPrefix}_not_connected`. */
  readonly reasonPrefix?: string
  /** The service's name for people, written as in the middle of a sentence: "the scheduling tool". */
  readonly title: { readonly [L in Language]: string }
  /** The tool that returns the link. */
  readonly connectTool: string
  readonly mode: ServiceMode
  readonly issuer: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Unless there is one, a grant ends at the service only by its owner's hand. */
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
  /** Further parameters of the consent page's address. */
  readonly parameters: { readonly [name: string]: string }
  /** Whether a refresh token serves once, and the answer has the next. */
  readonly rotatesRefreshToken: boolean
  /** The way to the service. */
  readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  /** Asks the service which account the token is of. */
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
  /** False where nothing was connected. */
  readonly changed: boolean
  readonly atService: Farewell
}

/** One service's connections, of whichever account calls. */
export interface OAuthConnection {
  /** A link that names the account and holds for a week. It is kept nowhere, and opening it connects nothing yet. */
  readonly connectionUrl: Effect.Effect<string, Transient, Caller>
  /**
   * A token that holds for a minute at least. Refused with `{service}_not_connected` or `{service}_needs_reconnect`.
   * A new one is stored before it is answered, whatever transaction the caller is in; of many that ask at a time, over
   * all processes, one renews it.
   */
  readonly accessToken: Effect.Effect<Redacted.Redacted, Refused | Transient, Caller>
  /** The service refused this token before its time: the next one is a new one. */
  readonly reject: (accessToken: Redacted.Redacted) => Effect.Effect<void, Transient, Caller>
  /** The service takes no token of this consent any more: it waits until its owner connects it again, and hears so once. */
  readonly loseAccess: (reason: string) => Effect.Effect<Refused, Transient, Caller>
  /** Takes back what there is at the service, as far as it answers, and forgets the tokens in any case. */
  readonly disconnect: Effect.Effect<EndedConnection, Transient, Caller>
}

/** Services that accounts connect by consent. */
export class OAuth extends Context.Tag("OAuth")<
  OAuth,
  {
    /** Once for each service, where its room is built; in sandbox mode a simulated server replaces the service's. */
    readonly register: (provider: OAuthProvider) => Effect.Effect<OAuthConnection>
    /**
     * For a simulated service: connects as the button on its page does, without a browser. `withheld` are scopes that
     * the user deselects.
     */
    readonly consentInSandbox: (
      service: string,
      holder: string,
      withheld?: ReadonlyArray<string>
    ) => Effect.Effect<void, Refused | Transient, Caller>
  }
>() {}

/** The consent behind a token of the simulated authorization server. */
export interface SimulatedConsent {
  /** The account at the simulated service: an address. */
  readonly holder: string
  readonly scopes: ReadonlyArray<string>
}

/** The state of the simulated authorization server, for the services' simulators and their pages. */
export class SimulatedConsents extends Context.Tag("SimulatedConsents")<
  SimulatedConsents,
  {
    /** None where the token is of no consent, has expired or was revoked. */
    readonly of: (
      service: string,
      accessToken: string
    ) => Effect.Effect<Option.Option<SimulatedConsent>, Transient, Caller>
    /** Revokes all consents, as the owner can in the settings of the service. Returns their number. */
    readonly revokeAll: (service: string) => Effect.Effect<number, Transient, Caller>
    /** Lets the access tokens expire; they can be renewed. */
    readonly expireAll: (service: string) => Effect.Effect<number, Transient, Caller>
  }
>() {}
