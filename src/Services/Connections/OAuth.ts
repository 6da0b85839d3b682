import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../Outbound/OutboundHttp.ts"
import type { Language } from "../Text/Language.ts"

/** Which account at the service consented. */
export interface OAuthIdentity {
  /** What stays the same whatever the account is renamed to. */
  readonly identity: string
  /** What its owner knows it by, such as an address. */
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
  /** As `connection` names it, and the path of its pages: `/connect/{service}`. */
  readonly service: string
  /** What the codes of refusals begin with, where that is not the service: `{reasonPrefix}_not_connected`. */
  readonly reasonPrefix?: string
  /** What a person calls it, as in the middle of a sentence: "the scheduling tool". */
  readonly title: { readonly [L in Language]: string }
  /** The tool that gives the link. */
  readonly connectTool: string
  readonly mode: ServiceMode
  readonly issuer: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Unless there is one, a grant ends at the service only by its owner's hand. */
  readonly revokeUrl?: string
  readonly client: { readonly id: string; readonly secret: Redacted.Redacted }
  readonly authentication: ClientAuthentication
  /** Where it is another one to revoke. */
  readonly revokeAuthentication?: ClientAuthentication
  readonly scopes: ReadonlyArray<string>
  /** Without one of these nothing is connected. */
  readonly requiredScopes: ReadonlyArray<string>
  /** Whether what was granted has the scope in it; by its name by default. */
  readonly covers?: (granted: ReadonlyArray<string>, scope: string) => boolean
  /** Further parameters of the consent page's address. */
  readonly parameters: { readonly [name: string]: string }
  /** Whether a refresh token serves once, and the answer has the next. */
  readonly rotatesRefreshToken: boolean
  /** The way to the service. */
  readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  /** Asks the service which account the token is of. */
  readonly identify: (accessToken: Redacted.Redacted) => Effect.Effect<OAuthIdentity, Refused | Transient, Caller>
  /** What else changes with a consent, in its transaction. */
  readonly connected: (consent: NewConsent) => Effect.Effect<void, Transient, Caller>
  /** What is to be taken back at the service while the token still holds. What fails is left. */
  readonly leaving: (accessToken: Redacted.Redacted) => Effect.Effect<void, Refused | Transient, Caller>
  /** What else changes when it is disconnected, in its transaction. */
  readonly disconnected: Effect.Effect<void, Transient, Caller>
}

/** What became of the service's side of a connection that ended. */
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
     * Where the service is simulated: connects as its page's button does, with no browser. `withheld` are scopes that
     * the holder ticks off.
     */
    readonly consentInSandbox: (
      service: string,
      holder: string,
      withheld?: ReadonlyArray<string>
    ) => Effect.Effect<void, Refused | Transient, Caller>
  }
>() {}

/** Whose consent a token of the simulated authorization server is. */
export interface SimulatedConsent {
  /** The account at the simulated service: an address. */
  readonly holder: string
  readonly scopes: ReadonlyArray<string>
}

/** What the simulated authorization server knows, for the services' simulators and their pages. */
export class SimulatedConsents extends Context.Tag("SimulatedConsents")<
  SimulatedConsents,
  {
    /** None where the token is of no consent, has expired or was revoked. */
    readonly of: (
      service: string,
      accessToken: string
    ) => Effect.Effect<Option.Option<SimulatedConsent>, Transient, Caller>
    /** As the owner does it in the settings of its account there. Answers how many there were. */
    readonly revokeAll: (service: string) => Effect.Effect<number, Transient, Caller>
    /** Lets the access tokens expire; they can be renewed. */
    readonly expireAll: (service: string) => Effect.Effect<number, Transient, Caller>
  }
>() {}
