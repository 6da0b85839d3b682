import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, type Option, Runtime } from "effect"
import type { Transient } from "../../../Errors.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { type SiteHost, siteHostOf, siteOrigin } from "../../../Services/Text/Web/SiteHost.ts"
import type { LaneOptions } from "../../Platform/Http/Server.ts"
import { Settings } from "../../Platform/Settings.ts"
import { absentPage, defectAnswer, refusalAnswer, suspendedPage, troubleAnswer } from "./PlainAnswers.ts"
import { SiteLooks, type SiteRow, servingOf } from "./PublishedSitesPostgres.ts"
import { sendSiteAnswer } from "./SendSiteAnswer.ts"
import type { SiteAnswer } from "./SiteRoute.ts"
import { makeSiteServing } from "./SiteServing.ts"

const methods = new Set(["GET", "HEAD", "POST"])

/** The longest address in characters. Addresses are those of pages and of the files that they load. */
const longestTarget = 4096

/**
 * Returns the path of the request line. If the line has a host too, it must equal the Host header. Undefined if it
 * differs, or if the line has no valid address.
 */
const targetOf = (url: string, host: string): string | undefined => {
  if (url.startsWith("/")) return url
  const origins = [`http://${host.toLowerCase()}`, `https://${host.toLowerCase()}`]
  const origin = origins.find((each) => url.slice(0, each.length).toLowerCase() === each)
  if (origin === undefined) return undefined
  const rest = url.slice(origin.length)
  if (rest.startsWith("/")) return rest
  return rest === "" || rest.startsWith("?") ? `/${rest}` : undefined
}

/** True if the request line has another host than the Host header. */
const isContradicted = (request: IncomingMessage): boolean => {
  const url = request.url ?? ""
  return /^https?:/i.test(url) && targetOf(url, request.headers.host ?? "") === undefined
}

const twoHosts = refusalAnswer(400, "The request line and the Host header name different hosts.")

/** True if there are two Host headers. A proxy may have read the other one. */
const isDoubled = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts > 1
}

const doubledHost = refusalAnswer(400, "There are two Host headers.")

const notAllowed: SiteAnswer = {
  ...refusalAnswer(405, "Use GET, HEAD or POST."),
  headers: { Allow: "GET, HEAD, POST", "Cache-Control": "no-store" }
}

/** Takes all requests to hosts of sites, so that none of them reaches a route of the gateway. */
export const siteLane = (options: LaneOptions) =>
  Effect.gen(function* () {
    const { baseUrl, siteDomain } = yield* Settings
    const looks = yield* SiteLooks
    const visit = yield* makeSiteServing(options)
    const { isDraining } = options
    const log = Runtime.runFork(yield* Effect.runtime<never>())

    /** Thrown into `pg` or the listener, a bug of ours would end the process. */
    const guarded = (request: IncomingMessage, response: ServerResponse, answer: () => void): void => {
      try {
        answer()
      } catch (bug) {
        log(
          Effect.annotateLogs(Effect.logError("a site could not be served"), { cause: describeCause(Cause.die(bug)) })
        )
        sendSiteAnswer(request, response, defectAnswer, true)
      }
    }

    const serve = (request: IncomingMessage, response: ServerResponse, name: string, target: string): void =>
      looks.ask(name, (found) => guarded(request, response, () => show(request, response, target, found)))

    const show = (
      request: IncomingMessage,
      response: ServerResponse,
      target: string,
      found: Exit.Exit<Option.Option<SiteRow>, Transient>
    ): void => {
      const send = (answer: SiteAnswer) => sendSiteAnswer(request, response, answer, isDraining())
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
        case "Published": {
          const mark = target.indexOf("?")
          return visit({
            request,
            response,
            row: serving.row,
            path: mark < 0 ? target : target.slice(0, mark),
            query: mark < 0 ? "" : target.slice(mark + 1)
          })
        }
      }
    }

    // The last host is cached, because successive requests are mostly for the same one.
    let last: { readonly text: string; readonly host: SiteHost } = { text: "", host: { _tag: "Gateway" } }

    const take = (request: IncomingMessage, response: ServerResponse, text: string, host: SiteHost): void => {
      const refuse = (answer: SiteAnswer) => sendSiteAnswer(request, response, answer, true)
      const target = targetOf(request.url ?? "", text)
      if (target === undefined) return refuse(refusalAnswer(400, "This is no address of a page."))
      if (target.length > longestTarget) return refuse(refusalAnswer(414, "The address is too long."))
      if (!methods.has(request.method ?? "")) return refuse(notAllowed)
      if (host._tag === "Name") return serve(request, response, host.name, target)
      sendSiteAnswer(request, response, absentPage(request.headers["accept-language"]), isDraining())
    }

    return (request: IncomingMessage, response: ServerResponse): boolean => {
      const text = request.headers.host ?? ""
      if (text !== last.text) last = { text, host: siteHostOf(text, siteDomain) }
      const { host } = last
      if (isDoubled(request)) {
        sendSiteAnswer(request, response, doubledHost, true)
        return true
      }
      if (host._tag !== "Gateway") {
        guarded(request, response, () => take(request, response, text, host))
        return true
      }
      if (!isContradicted(request)) return false
      sendSiteAnswer(request, response, twoHosts, true)
      return true
    }
  })
