import { HttpServerResponse } from "@effect/platform"
import type { Language } from "../../../Services/Text/Language.ts"

const style =
  "body{font-family:system-ui,sans-serif;max-width:30em;margin:15vh auto;padding:0 1em;text-align:center;color:#222}button{font-size:1em;padding:.7em 1.4em;border:0;border-radius:.4em;background:#1a5fb4;color:#fff;cursor:pointer}code{display:block;padding:1em;background:#eee;overflow-wrap:anywhere}"

/** A page that a person opens by a link of a mail: it runs nothing, loads nothing and is kept nowhere. */
export const personPage = (page: {
  readonly status: number
  readonly language: Language
  readonly title: string
  /** HTML without text of others. */
  readonly content: string
}) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${page.title}</title>
<style>${style}</style>
</head>
<body>
<h1>${page.title}</h1>
${page.content}
</body>
</html>
`,
    {
      status: page.status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        Vary: "Accept-Language"
      }
    }
  )

/** The form that asks a person for the deed: links in mail are followed by programs, buttons are not. */
export const buttonForm = (ask: string, button: string): string =>
  `<p>${ask}</p>\n<form method="post"><button type="submit">${button}</button></form>`
