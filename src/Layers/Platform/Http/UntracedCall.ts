import { Cause, Effect, Exit, Option, Runtime, type Scheduler } from "effect"
import { type Answer, matchRoute, type Route } from "../../../Api.ts"
import type { RequestRefused, Transient, Unauthorized } from "../../../Errors.ts"
import { type AccessTokens, isSameHolder, type TokenHolder } from "../../../Services/Accounts/AccessTokens.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { contextWith } from "./ContextWith.ts"
import type { Incoming } from "./Incoming.ts"

type Body = Effect.Effect<Buffer, RequestRefused | Transient>

/** What calls need of the lane they run on. */
export interface Lane<R> {
  readonly tokens: AccessTokens["Type"]
  /** The body of a request of the account. */
  readonly bodyOf: (incoming: Incoming, accountId: AccountId) => Body
  readonly runtime: Runtime.Runtime<R>
  /** The same where `UnitOfWork.read` leads. */
  readonly readRuntime: Runtime.Runtime<R>
  readonly isRead: (route: Route | RequestRefused) => boolean
  readonly answerHolder: (
    route: Route | RequestRefused,
    incoming: Incoming,
    body: Body,
    holder: TokenHolder
  ) => Effect.Effect<Answer, never, R | Caller>
  readonly refuseToken: (incoming: Incoming, failure: Unauthorized | Transient) => Answer
  readonly send: (incoming: Incoming, exit: Exit.Exit<Answer>) => void
  /** Where the work of the call is done; undefined where any other call is. */
  readonly schedulerOf: (incoming: Incoming, accountId: AccountId) => Scheduler.Scheduler | undefined
}

/**
 * A request without spans, as most are. Its fiber starts with the caller in its context. A read whose token was known a
 * moment ago runs beside the token's look-up: what it found is answered only when the look-up then says that the token
 * still stands for the same holder, and dropped otherwise.
 */
export class UntracedCall<R> {
  readonly #lane: Lane<R>
  readonly #incoming: Incoming
  readonly #route: Route | RequestRefused
  #presumed: TokenHolder | undefined
  #holder: TokenHolder | undefined
  #found: Exit.Exit<Answer> | undefined
  #body: Exit.Exit<Buffer, RequestRefused | Transient> | undefined
  #cancel: Runtime.Cancel<Answer> | undefined
  #isGone = false

  constructor(lane: Lane<R>, incoming: Incoming) {
    this.#lane = lane
    this.#incoming = incoming
    this.#route = matchRoute(incoming.request.method ?? "GET", incoming.target.path)
    // Nobody waits for the answer any more, so nothing is to be spent on it.
    incoming.response.once("close", () => {
      this.#isGone = true
      if (!incoming.response.writableEnded) this.#cancel?.()
    })
  }

  start(token: string): void {
    const { isRead, tokens } = this.#lane
    const lastKnown = tokens.authenticateThen(token, (exit) => this.#authenticated(exit))
    if (lastKnown === undefined || !isRead(this.#route)) return
    this.#presumed = lastKnown
    this.#run(lastKnown, (exit) => {
      this.#found = exit
      this.#settle()
    })
  }

  #authenticated(exit: Exit.Exit<TokenHolder, Unauthorized | Transient>): void {
    if (Exit.isSuccess(exit)) {
      this.#holder = exit.value
      if (this.#presumed === undefined) this.#runAndSend(exit.value)
      else this.#settle()
      return
    }
    const { refuseToken, send } = this.#lane
    const failure = Cause.failureOption(exit.cause)
    const answer = Option.map(failure, (refused) => refuseToken(this.#incoming, refused))
    send(this.#incoming, Option.isSome(answer) ? Exit.succeed(answer.value) : Exit.die(exit.cause))
  }

  /** Once both are there: what was found, and whom the token stands for. */
  #settle(): void {
    if (this.#presumed === undefined || this.#holder === undefined || this.#found === undefined) return
    if (isSameHolder(this.#presumed, this.#holder)) this.#lane.send(this.#incoming, this.#found)
    else this.#runAndSend(this.#holder)
  }

  #runAndSend(holder: TokenHolder): void {
    this.#run(holder, (exit) => this.#lane.send(this.#incoming, exit))
  }

  #run(holder: TokenHolder, onExit: (exit: Exit.Exit<Answer>) => void): void {
    if (this.#isGone) return
    const { answerHolder, isRead, readRuntime, runtime } = this.#lane
    const { context, fiberRefs, runtimeFlags } = isRead(this.#route) ? readRuntime : runtime
    const caller = { ...holder, requestId: this.#incoming.requestId }
    const own = Runtime.make({ context: contextWith(context, Caller, caller), fiberRefs, runtimeFlags })
    const answer = answerHolder(this.#route, this.#incoming, this.#readBody(holder.accountId), holder)
    const scheduler = this.#lane.schedulerOf(this.#incoming, holder.accountId)
    this.#cancel = Runtime.runCallback(own)(answer, scheduler === undefined ? { onExit } : { onExit, scheduler })
  }

  /** Read once, also where the call is run again. */
  #readBody(accountId: AccountId): Body {
    if (this.#body !== undefined) return this.#body
    return Effect.onExit(this.#lane.bodyOf(this.#incoming, accountId), (exit) =>
      Effect.sync(() => {
        this.#body = exit
      })
    )
  }
}
