import { HttpBody, HttpServerResponse } from "@effect/platform"

const textWithoutCharset = /^(?:application\/json|text\/[a-z]+)$/

/**
 * Adds the charset to a page that the gateway wrote. A streamed body is a stored file, and its encoding is not known
 * here.
 */
export const withDeclaredCharset = (
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  return body._tag === "Uint8Array" && textWithoutCharset.test(body.contentType)
    ? HttpServerResponse.setBody(response, HttpBody.uint8Array(body.body, `${body.contentType}; charset=utf-8`))
    : response
}
