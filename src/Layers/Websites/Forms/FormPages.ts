import { hiddenField, html, type Markup, nothing, verbatim, verbatimLines } from "../../../Services/Text/Web/Html.ts"
import { formPhrases } from "../../../Services/Websites/Forms/FormPhrases.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import { type FieldTexts, hiddenFields, type PlacedForm } from "../../../Services/Websites/Forms/SiteForms.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import { plainPage } from "../Serving/PlainPage.ts"
import type { SiteAnswer } from "../Serving/SiteRoute.ts"

/** Shows the visitor's own input for review. */
const typedValues = (placed: PlacedForm, typed: FieldTexts, yes: string): ReadonlyArray<Markup> =>
  placed.form.fields.flatMap(({ kind, label, name }) => {
    const value = typed[name] ?? ""
    if (value === "") return []
    const text = kind === "checkbox" ? html`${yes}` : verbatimLines(value)
    return [html`<p><span class="note">${label}</span><br>${text}</p>`]
  })

/** Lets other sites frame the page if the form itself is framed. */
const framed = (answer: SiteAnswer, isEmbedded: boolean): SiteAnswer => {
  if (!isEmbedded) return answer
  const { "X-Frame-Options": _, ...headers } = answer.headers
  const policy = headers["Content-Security-Policy"]?.replace("frame-ancestors 'none'", "frame-ancestors *") ?? ""
  return { ...answer, headers: { ...headers, "Content-Security-Policy": policy } }
}

/** Limits that keep a page readable, whatever was sent. */
const mostShownValues = 20
const longestShownValue = 8000

export type FormPause =
  | { readonly _tag: "Confirm" }
  | { readonly _tag: "Later"; readonly seconds: number }
  | { readonly _tag: "Full" }

/** Says that a submission isn't stored yet, and has a button that sends it again. */
export const pausePage = (page: {
  readonly site: PublishedSite
  readonly placed: PlacedForm
  readonly typed: FieldTexts
  /** Identifies the confirmation. */
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
  const hiddenValues = names.flatMap((name) =>
    (typed[name] ?? "") === "" ? [] : [hiddenField(name, typed[name] ?? "")]
  )
  const content = html`<p>${text}</p>
${typedValues(placed, typed, phrases.yes)}
<form method="post" action="/_/confirm" accept-charset="utf-8">${hiddenField(hiddenFields.token, token)}${hiddenValues}<button type="submit">${button}</button></form>`
  const answer = plainPage({
    status,
    language: site.site.language,
    title,
    content,
    ...(pause._tag === "Later" ? { headers: { "Retry-After": String(Math.ceil(pause.seconds)) } } : {})
  })
  return framed(answer, isEmbedded)
}

/** The form no longer exists. The page shows what was typed, so that the visitor can copy it. */
export const gonePage = (site: PublishedSite, sent: URLSearchParams): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  const typed = [...sent]
    .filter(([name, value]) => !name.startsWith("_") && value.trim() !== "")
    .slice(0, mostShownValues)
  return plainPage({
    status: 410,
    language: site.site.language,
    title: phrases.goneTitle,
    content: html`<p>${phrases.goneText}</p>
${typed.map(([, value]) => html`<p>${verbatimLines(value.slice(0, longestShownValue))}</p>`)}
<p><a href="/">${phrases.back}</a></p>`
  })
}

export const unreadablePage = (site: PublishedSite, status: number): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status,
    language: site.site.language,
    title: phrases.unreadableTitle,
    content: html`<p>${phrases.unreadableText}</p>\n<p><a href="/">${phrases.back}</a></p>`
  })
}

/** Asks for the address to mail a code to. */
export const signInPage = (site: PublishedSite, token: string, problem?: string, typed = ""): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status: problem === undefined ? 200 : 422,
    language: site.site.language,
    title: phrases.signInTitle,
    content: html`<p>${phrases.signInText}</p>
${problem === undefined ? nothing : html`<p class="wrong" role="alert">${problem}</p>\n`}<form method="post" action="/_/session" accept-charset="utf-8">${hiddenField(hiddenFields.token, token)}<label for="email">${phrases.email}</label><input id="email" name="email" type="email" autocomplete="email" required value="${verbatim(typed)}"><button type="submit">${phrases.sendCode}</button></form>`
  })
}

/** Asks for the mailed code. */
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
    content: html`<p>${phrases.codeText(signIn.email)}</p>
${isWrong ? html`<p class="wrong" role="alert">${phrases.wrongCode}</p>\n` : nothing}<form method="post" action="/_/session">${hiddenField("sign_in", signIn.id)}${hiddenField("email", signIn.email)}${hiddenField("to", signIn.returnTo)}<label for="code">${phrases.code}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12"><button type="submit">${phrases.enter}</button></form>
<p><a href="/_/session">${phrases.sendCode}</a></p>`
  })
}

/** Shows who is signed in, and a button to sign out. */
export const signedInPage = (site: PublishedSite, email: string): SiteAnswer => {
  const phrases = formPhrases[siteLanguage(site.site.language)]
  return plainPage({
    status: 200,
    language: site.site.language,
    title: phrases.signedInTitle,
    content: html`<p>${phrases.signedInText(email)}</p>
<form method="post" action="/_/session">${hiddenField("leave", "yes")}<button type="submit">${phrases.leave}</button></form>
<p><a href="/">${phrases.back}</a></p>`
  })
}
