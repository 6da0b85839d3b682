import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit } from "effect"
import { type SiteHost, siteHostOf, siteOrigin } from "../../../Services/Text/SiteHost.ts"
import type { LaneOptions } from "../../Platform/Http/Server.ts"
import { Settings } from "../../Platform/Settings.ts"
import { absentPage, refusalAnswer, suspendedPage, troubleAnswer } from "./PlainAnswers.ts"
import { SiteLooks, servingOf } from "./PublishedSitesPostgres.ts"
import { sendSiteAnswer } from "./SendSiteAnswer.ts"

const methods = new Set(["GET", "HEAD", "POST"])

/** Addresses are names of pages and of what they load. */
const longestTarget = 4096

/**
 * What of the request line is for the host: all of it, or what follows a host that is the same as the Host header's.
 * Undefined where the two name different hosts, or it is no address of a page.
 */
const targetOf = (url: string, host: string): string | undefined => {
  if (url.startsWith("/")) return url
  const match = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url)
  if (match === null || match[1]?.toLowerCase() !== host.toLowerCase()) return undefined
  const rest = match[2] ?? ""
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** Whether the request line names another host than the Host header does. */
const isContradicted = (request: IncomingMessage): boolean => {
  const url = request.url ?? ""
  return /^https?:/i.test(url) && targetOf(url, request.headers.host ?? "") === undefined
}

const refuse = (request: IncomingMessage, response: ServerResponse, status: number, text: string): true => {
  sendSiteAnswer(request, response, refusalAnswer(status, text), true)
  return true
}

/** All requests to hosts of sites: none of them reaches a route of the gateway. */
export const siteLane = ({ isDraining }: LaneOptions) =>
  Effect.gen(function* () {
    const { baseUrl, siteDomain } = yield* Settings
    const looks = yield* SiteLooks

    const serve = (request: IncomingMessage, response: ServerResponse, name: string, target: string): void =>
      looks.ask(name, (found) => {
        const send = (answer: ReturnType<typeof absentPage>) => sendSiteAnswer(request, response, answer, isDraining())
        if (Exit.isFailure(found)) return send(troubleAnswer)
        const language = request.headers["accept-language"]
        const serving = servingOf(found.value)
        switch (serving._tag) {
          case "Absent":
            return send(absentPage(language))
          case "Suspended":
            return send(suspendedPage(language))
          case "Moved":
            return send({
              status: request.method === "POST" ? 308 : 301,
              headers: {
                Location: `${siteOrigin({ baseUrl, siteDomain }, serving.name)}${target}`,
                "Cache-Control": "no-cache"
              },
              body: ""
            })
          case "Published":
            return send(absentPage(language))
        }
      })

    // Most requests in a row are for the same host.
    let last: { readonly text: string; readonly host: SiteHost } = { text: "", host: { _tag: "Gateway" } }

    return (request: IncomingMessage, response: ServerResponse): boolean => {
      const text = request.headers.host ?? ""
      if (text !== last.text) last = { text, host: siteHostOf(text, siteDomain) }
      const { host } = last
      if (host._tag === "Gateway") {
        return isContradicted(request)
          ? refuse(request, response, 400, "The request line and the Host header name different hosts.")
          : false
      }
      const target = targetOf(request.url ?? "", text)
      if (target === undefined) return refuse(request, response, 400, "This is no address of a page.")
      if (target.length > longestTarget) return refuse(request, response, 414, "The address is too long.")
      if (!methods.has(request.method ?? "")) {
        sendSiteAnswer(
          request,
          response,
          { ...refusalAnswer(405, "Use GET, HEAD or POST."), headers: { Allow: "GET, HEAD, POST" } },
          isDraining()
        )
        return true
      }
      if (host._tag === "Nobody")
        sendSiteAnswer(request, response, absentPage(request.headers["accept-language"]), isDraining())
      else serve(request, response, host.name, target)
      return true
    }
  })
