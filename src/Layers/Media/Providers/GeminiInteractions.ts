import { at, textAt } from "../../Platform/AnswerPaths.ts"

/** A part of the input of an interaction. */
export type InteractionPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mime_type: "image/jpeg"; readonly data: string }

/** The input of an interaction: the text, and the JPEGs that it refers to. */
export const interactionInput = (
  prompt: string,
  pictures: ReadonlyArray<Uint8Array>
): ReadonlyArray<InteractionPart> => [
  { type: "text", text: prompt },
  ...pictures.map(
    (bytes): InteractionPart => ({
      type: "image",
      mime_type: "image/jpeg",
      data: Buffer.from(bytes).toString("base64")
    })
  )
]

/** The result of a model: Base64 data, or an address if the data is too large. */
export interface InteractionResult {
  readonly data: string
  readonly uri: string
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const resultOf = (content: unknown): InteractionResult => ({
  data: textAt(content, "data"),
  uri: textAt(content, "uri")
})

/** Returns the last picture or video of an interaction. Undefined if it has none. */
export const interactionResult = (interaction: unknown, type: "image" | "video"): InteractionResult | undefined => {
  const contents = listOf(at(interaction, "steps"))
    .filter((step) => textAt(step, "type") === "model_output")
    .flatMap((step) => listOf(at(step, "content")))
    .filter((content) => textAt(content, "type") === type)
  return [...contents, at(interaction, `output_${type}`)]
    .map(resultOf)
    .filter(({ data, uri }) => data !== "" || uri !== "")
    .at(-1)
}

/** Returns why an interaction has no result. The text is used for matching only. */
export const interactionProblem = (interaction: unknown): string =>
  [
    ...listOf(at(interaction, "errors")).flatMap((error) => [textAt(error, "code"), textAt(error, "message")]),
    ...listOf(at(interaction, "steps")).map((step) => textAt(step, "error", "message"))
  ]
    .join(" ")
    .slice(0, 2000)
