import { HttpServerResponse } from "@effect/platform"

const textWithoutCharset = /^(?:application\/json|text\/[a-z]+)$/

/**
 * Adds the charset to a page that the gateway wrote. A streamed body is a stored file, and its encoding is not known
 * here.
 */
export const withDeclaredCharset = (
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body, headers } = response
  const type = headers["content-type"]
  return body._tag !== "Stream" && type !== undefined && textWithoutCharset.test(type)
    ? HttpServerResponse.setHeader(response, "content-type", `${type}; charset=utf-8`)
    : response
}
