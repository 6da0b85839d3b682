import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { type Language, languageOf } from "../../../Services/Text/Language.ts"
import { html, Markup } from "../../../Services/Text/Web/Html.ts"

/** Returns the first language in the browser's header that pages support. */
export const pageLanguage = (acceptLanguage: string | undefined): Language => {
  const range = (acceptLanguage ?? "")
    .slice(0, 500)
    .split(",")
    .map((range) => (range.split(";")[0] ?? "").trim())
    .find((range) => /^(?:pt|en|es)(?:-|$)/i.test(range))
  return languageOf(range ?? "pt")
}

/**
 * Returns the token and the language of a request to a route `…/:token`. The token is cut to the longest valid length.
 */
export const openedLink = (longestToken: number) =>
  Effect.map(
    Effect.all({ params: HttpRouter.params, request: HttpServerRequest.HttpServerRequest }),
    ({ params, request }) => ({
      token: (params.token ?? "").slice(0, longestToken),
      language: pageLanguage(request.headers["accept-language"])
    })
  )

const style = [
  ":root{color-scheme:light}",
  "*{box-sizing:border-box}",
  "body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:24px;background:#f3f5f8;color:#1d2733;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  "main{width:100%;max-width:440px;background:#fff;border:1px solid #e2e7ee;border-radius:16px;padding:40px 36px;box-shadow:0 12px 32px rgba(29,39,51,.07)}",
  "svg{display:block;width:44px;height:44px;margin:0 0 20px}",
  "h1{margin:0 0 12px;font-size:24px;line-height:1.25;letter-spacing:-.01em}",
  "p{margin:0 0 16px}p:last-child{margin:0}",
  ".from{margin:0 0 16px;color:#5b6877;font-size:14px}",
  "form{margin:24px 0 0}",
  "button,.button{display:block;width:100%;text-align:center;text-decoration:none;padding:14px 20px;border:0;border-radius:10px;background:#1a5fb4;color:#fff;font-family:inherit;font-size:16px;font-weight:600;line-height:1.2;cursor:pointer}",
  "button:hover,.button:hover{background:#164f96}button:focus-visible,.button:focus-visible{outline:3px solid #9dc3f0;outline-offset:2px}",
  "code{display:block;padding:14px 16px;background:#f3f5f8;border-radius:10px;overflow-wrap:anywhere;font-size:14px}"
].join("")

export type PageTone = "ask" | "done" | "trouble"

const marks: { readonly [T in PageTone]: Markup } = {
  ask: html`<circle cx="22" cy="22" r="22" fill="#e5effb"/><path d="M12 16h20v14H12zM12 17l10 8 10-8" fill="none" stroke="#1a5fb4" stroke-width="2.2" stroke-linejoin="round"/>`,
  done: html`<circle cx="22" cy="22" r="22" fill="#e2f5e8"/><path d="M14 22.5l5.5 5.5L31 16.5" fill="none" stroke="#1b7f3b" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>`,
  trouble: html`<circle cx="22" cy="22" r="22" fill="#fdf0dc"/><path d="M22 13v11" stroke="#a65f00" stroke-width="2.8" stroke-linecap="round"/><circle cx="22" cy="30" r="1.8" fill="#a65f00"/>`
}

/** Headers of a page that may run no scripts, load nothing, and not be framed or cached. */
export const stillPageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store"
}

/** A page that a person opens by a link in a mail. It runs no scripts, loads nothing and is not cached. */
export const personPage = (page: {
  readonly status: number
  readonly language: Language
  readonly title: string
  readonly tone?: PageTone
  readonly content: Markup
}) =>
  HttpServerResponse.text(
    html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${page.title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<svg viewBox="0 0 44 44" aria-hidden="true">${marks[page.tone ?? "ask"]}</svg>
<h1>${page.title}</h1>
${page.content}
</main>
</body>
</html>
`.markup,
    {
      status: page.status,
      contentType: "text/html; charset=utf-8",
      headers: { ...stillPageHeaders, "X-Robots-Tag": "noindex, nofollow", Vary: "Accept-Language" }
    }
  )

/**
 * A form with one button. Mail programs follow links by themselves, but press no buttons. It posts to the page's own
 * address, so that the page contains no secret.
 */
export const buttonForm = (ask: string, button: string): Markup =>
  html`<p>${ask}</p>\n<form method="post"><input type="hidden" name="confirm" value="yes"><button type="submit">${button}</button></form>`
