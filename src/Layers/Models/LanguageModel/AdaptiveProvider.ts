import { Effect, Either, Predicate, Ref } from "effect"
import type { LanguageModelFailed } from "../../../Services/Models/LanguageModel.ts"
import { errorWords, type FinalAnswer, type ModelCall, refusedStatus } from "./ModelClient.ts"
import type { ModelAnswer, ModelCallFailed, ModelProvider, ModelRequest, TokenCounts } from "./ModelProvider.ts"

/** The number of tokens that a model may use for thinking, in addition to those of its answer. */
export interface ThinkingRoom {
  readonly room: number
  /** The provider refuses a larger one. */
  readonly roomLimit: number
}

/** The most tokens that are worth the wait and the cost. */
const largestRoom = 32_000
const smallestRoom = 4000

/** The limit of the first request. It grows when a model is cut off while it thinks. */
export const initialRoom = (tokens: number): ThinkingRoom => ({ room: tokens, roomLimit: largestRoom })

const largerRoom = <A extends ThinkingRoom>(abilities: A): A | undefined => {
  const room = Math.min(abilities.roomLimit, Math.max(smallestRoom, abilities.room * 4))
  return room > abilities.room ? { ...abilities, room } : undefined
}

/** Returns a lower limit. Undefined if the provider did not complain about the limit, or if it cannot be lowered. */
export const smallerRoom = <A extends ThinkingRoom>(words: string, abilities: A): A | undefined => {
  const isLimit = /max_(?:completion_)?tokens/.test(words)
  if (abilities.room === 0 || !isLimit || !/too large|maximum allowed|at most|exceed|less than/.test(words)) {
    return undefined
  }
  const room = abilities.room <= smallestRoom ? 0 : Math.floor(abilities.room / 4)
  return { ...abilities, room, roomLimit: room }
}

/**
 * A provider's format of requests and responses. `A` describes the features that the server and model accept, as
 * learned from refusals.
 */
export interface Dialect<A extends ThinkingRoom> {
  readonly initial: A
  readonly bodyOf: (request: ModelRequest, abilities: A) => unknown
  /** Returns a simpler form to try after a refusal. Undefined if the refusal has another reason. */
  readonly lesserAbilities: (words: string, abilities: A) => A | undefined
  readonly answerOf: (json: unknown, request: ModelRequest) => Either.Either<ModelAnswer, ModelCallFailed>
}

const maximumAdaptations = 5
const formStatuses: ReadonlySet<number> = new Set([400, 404, 415, 422])

const isSuccess = ({ json, status }: FinalAnswer): boolean => {
  // Some gateways return a provider's failure with a success status.
  const isError = Predicate.hasProperty(json, "error") && json.error !== null && !Predicate.hasProperty(json, "choices")
  return status >= 200 && status < 300 && !isError
}

const addTokens = (earlier: TokenCounts | undefined, tokens: TokenCounts | undefined): TokenCounts | undefined => {
  if (earlier === undefined || tokens === undefined) return earlier ?? tokens
  return {
    model: tokens.model,
    inputTokens: earlier.inputTokens + tokens.inputTokens,
    outputTokens: earlier.outputTokens + tokens.outputTokens
  }
}

/**
 * Makes a provider that uses the form of request that the server accepted last. A refused form is replaced by a simpler
 * one, and a model that was cut off while it thought gets a higher limit. Both are remembered for later requests.
 */
export const makeAdaptiveProvider = <A extends ThinkingRoom>(
  dialect: Dialect<A>,
  send: (call: ModelCall) => Effect.Effect<FinalAnswer, LanguageModelFailed>
): Effect.Effect<ModelProvider> =>
  Effect.map(Ref.make(dialect.initial), (learned) => {
    const ask = (
      request: ModelRequest,
      adaptations: number,
      spent: TokenCounts | undefined
    ): Effect.Effect<ModelAnswer, ModelCallFailed> =>
      Effect.gen(function* () {
        const abilities = yield* Ref.get(learned)
        const fail = (failed: ModelCallFailed) =>
          Effect.fail<ModelCallFailed>({ ...failed, tokens: addTokens(spent, failed.tokens) })
        const answered = yield* Effect.either(
          send({ body: dialect.bodyOf(request, abilities), deadline: request.deadline })
        )
        if (Either.isLeft(answered)) return yield* fail({ failure: answered.left, tokens: undefined })
        const answer = answered.right
        const mayAdapt = adaptations < maximumAdaptations

        if (isSuccess(answer)) {
          const read = dialect.answerOf(answer.json, request)
          if (Either.isRight(read)) {
            return { ...read.right, tokens: addTokens(spent, read.right.tokens) ?? read.right.tokens }
          }
          const larger = mayAdapt && read.left.isCutOffThinking === true ? largerRoom(abilities) : undefined
          if (larger === undefined) return yield* fail(read.left)
          yield* Ref.set(learned, larger)
          return yield* ask(request, adaptations + 1, addTokens(spent, read.left.tokens))
        }

        const words = errorWords(answer.json)
        const lesser =
          mayAdapt && formStatuses.has(answer.status)
            ? (smallerRoom(words, abilities) ?? dialect.lesserAbilities(words, abilities))
            : undefined
        if (lesser === undefined) return yield* fail({ failure: refusedStatus(answer), tokens: undefined })
        yield* Ref.set(learned, lesser)
        return yield* ask(request, adaptations + 1, spent)
      })

    return { ask: (request) => ask(request, 0, undefined) }
  })
