import { escapeHtml } from "../../../Services/Text/HtmlText.ts"
import { formPhrases } from "../../../Services/Websites/Forms/FormPhrases.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import { type FieldTexts, hiddenFields, type PlacedForm } from "../../../Services/Websites/Forms/SiteForms.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import { plainPage } from "../Serving/PlainPage.ts"
import type { SiteAnswer } from "../Serving/SiteRoute.ts"

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`

/** What was typed, for its writer to look at. */
const shown = (placed: PlacedForm, typed: FieldTexts, yes: string): string =>
  placed.form.fields
    .flatMap(({ kind, label, name }) => {
      const value = typed[name] ?? ""
      if (value === "") return []
      const text = kind === "checkbox" ? yes : escapeHtml(value).replaceAll("\n", "<br>")
      return [`<p><span class="note">${escapeHtml(label)}</span><br>${text}</p>`]
    })
    .join("\n")

/** Lets other sites frame a page of a form that stands in a frame itself. */
const framed = (answer: SiteAnswer, isEmbedded: boolean): SiteAnswer => {
  if (!isEmbedded) return answer
  const { "X-Frame-Options": _, ...headers } = answer.headers
  const policy = headers["Content-Security-Policy"]?.replace("frame-ancestors 'none'", "frame-ancestors *") ?? ""
  return { ...answer, headers: { ...headers, "Content-Security-Policy": policy } }
}

export type FormPause =
  | { readonly _tag: "Confirm" }
  | { readonly _tag: "Later"; readonly seconds: number }
  | { readonly _tag: "Full" }

/** A submission that is not stored yet, with all that was typed and a button that sends it again. */
export const pausePage = (page: {
  readonly site: PublishedSite
  readonly placed: PlacedForm
  readonly typed: FieldTexts
  /** Of a confirmation. */
  readonly token: string
  readonly isEmbedded: boolean
  readonly pause: FormPause
}): SiteAnswer => {
  const { isEmbedded, pause, placed, site, token, typed } = page
  const phrases = formPhrases[siteLanguage(site.site.language)]
  const [status, title, text, button] =
    pause._tag === "Confirm"
      ? ([200, phrases.confirmTitle, phrases.confirmText, phrases.confirmButton] as const)
      : pause._tag === "Later"
        ? ([429, phrases.laterTitle, phrases.laterText(Math.ceil(pause.seconds / 60)), phrases.againButton] as const)
        : ([503, phrases.fullTitle, phrases.fullText, phrases.againButton] as const)
  const names = [...placed.form.fields.map(({ name }) => name), hiddenFields.consent, hiddenFields.marketing]
  const kept = names.flatMap((name) => ((typed[name] ?? "") === "" ? [] : [hidden(name, typed[name] ?? "")]))
  const content = `<p>${escapeHtml(text)}</p>
${shown(placed, typed, phrases.yes)}
<form method="post" action="/_/confirm" accept-charset="utf-8">${hidden(hiddenFields.token, token)}${kept.join("")}<button type="submit">${escapeHtml(button)}</button></form>`
  const answer = plainPage({
    status,
    language: site.site.language,
    title,
    content,
    ...(pause._tag === "Later" ? { headers: { "Retry-After": String(Math.ceil(pause.seconds)) } } : {})
  })
  return framed(answer, isEmbedded)
}

/** The form is no longer there: what was typed is shown to be copied. */
export const gonePage = (site: PublishedSite, sent: URLSearchParams): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  const typed = [...sent].filter(([name, value]) => !name.startsWith("_") && value.trim() !== "").slice(0, 20)
  return plainPage({
    status: 410,
    language: site.site.language,
    title: phrases.goneTitle,
    content: `<p>${escapeHtml(phrases.goneText)}</p>
${typed.map(([, value]) => `<p>${escapeHtml(value.slice(0, 8000)).replaceAll("\n", "<br>")}</p>`).join("\n")}
<p><a href="/">${escapeHtml(phrases.back)}</a></p>`
  })
}

export const unreadablePage = (site: PublishedSite, status: number): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status,
    language: site.site.language,
    title: phrases.unreadableTitle,
    content: `<p>${escapeHtml(phrases.unreadableText)}</p>\n<p><a href="/">${escapeHtml(phrases.back)}</a></p>`
  })
}

/** Where a visitor asks for a code. */
export const signInPage = (site: PublishedSite, token: string, problem?: string, typed = ""): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status: problem === undefined ? 200 : 422,
    language: site.site.language,
    title: phrases.signInTitle,
    content: `<p>${escapeHtml(phrases.signInText)}</p>
${problem === undefined ? "" : `<p class="wrong" role="alert">${escapeHtml(problem)}</p>\n`}<form method="post" action="/_/session" accept-charset="utf-8">${hidden(hiddenFields.token, token)}<label for="email">${escapeHtml(phrases.email)}</label><input id="email" name="email" type="email" autocomplete="email" required value="${escapeHtml(typed)}"><button type="submit">${escapeHtml(phrases.sendCode)}</button></form>`
  })
}

/** Where a visitor enters it. */
export const codePage = (
  site: PublishedSite,
  signIn: { readonly id: string; readonly email: string; readonly returnTo: string },
  isWrong: boolean
): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status: isWrong ? 422 : 200,
    language: site.site.language,
    title: phrases.codeTitle,
    content: `<p>${escapeHtml(phrases.codeText(signIn.email))}</p>
${isWrong ? `<p class="wrong" role="alert">${escapeHtml(phrases.wrongCode)}</p>\n` : ""}<form method="post" action="/_/session">${hidden("sign_in", signIn.id)}${hidden("email", signIn.email)}${hidden("to", signIn.returnTo)}<label for="code">${escapeHtml(phrases.code)}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12"><button type="submit">${escapeHtml(phrases.enter)}</button></form>
<p><a href="/_/session">${escapeHtml(phrases.sendCode)}</a></p>`
  })
}

/** Whom the browser is signed in as, and the way out. */
export const signedInPage = (site: PublishedSite, email: string): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status: 200,
    language: site.site.language,
    title: phrases.signedInTitle,
    content: `<p>${escapeHtml(phrases.signedInText(email))}</p>
<form method="post" action="/_/session">${hidden("leave", "yes")}<button type="submit">${escapeHtml(phrases.leave)}</button></form>
<p><a href="/">${escapeHtml(phrases.back)}</a></p>`
  })
}
