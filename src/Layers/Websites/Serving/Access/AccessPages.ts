import { Effect } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { hiddenField, html, nothing } from "../../../../Services/Text/Web/Html.ts"
import { siteLanguage } from "../../../../Services/Websites/Forms/FormTexts.ts"
import type { PublishedSite } from "../../../../Services/Websites/PublishedSites.ts"
import { accessWords, safePath } from "../../../../Services/Websites/SiteAccess.ts"
import { plainPage } from "../PlainPage.ts"
import type { PublishedRow } from "../PublishedSitesPostgres.ts"
import type { SiteAnswer } from "../SiteRoute.ts"
import type { SiteVisitor } from "../SiteVisitors.ts"
import type { SiteAccess } from "./SiteAccess.ts"

interface Shown {
  readonly to: string
  /** The address that a code was sent to. */
  readonly sentTo?: string
  readonly wrong?: "wrong" | "badAddress" | "tooMany"
}

const loginPage = ({ site, title }: PublishedSite, { sentTo, to, wrong }: Shown): SiteAnswer => {
  const language = siteLanguage(site.language)
  const words = accessWords[language]
  const trouble = wrong === undefined ? nothing : html`<p class="wrong" role="alert">${words[wrong]}</p>`
  const byMail =
    sentTo === undefined
      ? html`<p>${words.ask}</p>
<form method="post" action="/_/login">${hiddenField("to", to)}<label for="address">${words.address}</label><input id="address" name="address" type="email" autocomplete="email" maxlength="254" required><button type="submit">${words.send}</button></form>`
      : html`<p>${words.sent}</p>
<form method="post" action="/_/login">${hiddenField("to", to)}${hiddenField("address", sentTo)}<label for="code">${words.code}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required><button type="submit">${words.open}</button></form>
<p><a href="/_/login?to=${encodeURIComponent(to)}">${words.another}</a></p>`
  const byCode = html`<h2>${words.accessCode}</h2>
<p>${words.orCode}</p>
<form method="post" action="/_/login">${hiddenField("to", to)}<label for="access">${words.accessCode}</label><input id="access" name="access" autocomplete="off" maxlength="40" required><button type="submit">${words.open}</button></form>`
  return plainPage({
    status: wrong === "tooMany" ? 429 : wrong === undefined ? 200 : 403,
    language,
    title: words.title(title === "" ? site.name : title),
    content: html`${trouble}${byMail}${sentTo === undefined ? html`\n${byCode}` : nothing}`,
    ...(wrong === "tooMany" ? { headers: { "Retry-After": "600" } } : {})
  })
}

const opened = (cookie: string, to: string): SiteAnswer => ({
  status: 303,
  headers: { Location: to, "Set-Cookie": cookie, "Cache-Control": "no-store" },
  body: ""
})

/** Answers `/_/login` of a restricted site: GET shows the form, POST mails a code or checks one. */
export const loginAnswer = (
  access: SiteAccess["Type"],
  row: PublishedRow,
  site: PublishedSite,
  visitor: SiteVisitor,
  given: { readonly method: string; readonly query: URLSearchParams; readonly form: URLSearchParams }
): Effect.Effect<SiteAnswer, Transient> =>
  Effect.gen(function* () {
    const { form, method, query } = given
    if (method !== "POST") return loginPage(site, { to: safePath(query.get("to")) })
    const to = safePath(form.get("to"))
    const typed = form.get("access")
    if (typed !== null) {
      const result = yield* access.openByTyped(row, visitor, typed)
      if (typeof result === "object") return opened(result.cookie, to)
      return loginPage(site, { to, wrong: result === "too_many" ? "tooMany" : "wrong" })
    }
    const address = (form.get("address") ?? "").slice(0, 300)
    const code = form.get("code")
    if (code !== null) {
      const result = yield* access.openByMailed(row, address, code)
      if (typeof result === "object") return opened(result.cookie, to)
      return loginPage(site, { to, sentTo: address, wrong: result === "too_many" ? "tooMany" : "wrong" })
    }
    const asked = yield* access.ask(site, visitor, address)
    if (asked === "sent") return loginPage(site, { to, sentTo: address })
    return loginPage(site, { to, wrong: asked === "too_many" ? "tooMany" : "badAddress" })
  })

/** Redirects to the login page of a restricted site. */
export const redirectToLogin = (target: string): SiteAnswer => ({
  status: 302,
  headers: { Location: `/_/login?to=${encodeURIComponent(safePath(target))}`, "Cache-Control": "no-store" },
  body: ""
})
