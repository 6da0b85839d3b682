import { createHash } from "node:crypto"
import { attribute, html, Markup } from "../../../Services/Text/Web/Html.ts"
import type { SiteAnswer } from "./SiteRoute.ts"

const style = [
  ":root{color-scheme:light dark}",
  "*{box-sizing:border-box}",
  "body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:24px;background:#f4f5f7;color:#1d2733;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  "main{width:100%;max-width:460px;background:#fff;border:1px solid #dfe3e8;border-radius:14px;padding:36px 32px}",
  "main.wide{max-width:720px}",
  "h1{margin:0 0 12px;font-size:24px;line-height:1.25}h2{margin:28px 0 8px;font-size:18px}",
  "p,ul{margin:0 0 16px}p:last-child{margin-bottom:0}ul{padding-left:20px}",
  "a{color:#1a5fb4}",
  ".note{color:#55606e;font-size:14px}",
  ".wrong{color:#a3231a;font-weight:600}",
  "fieldset{margin:0 0 16px;padding:0;border:0}legend{margin:0 0 6px;padding:0;font-weight:600}fieldset label{font-weight:400}fieldset input{display:inline;width:auto;margin:0 6px 0 0}",
  "form{margin:20px 0 0}label{display:block;margin:0 0 6px;font-weight:600}",
  "input,textarea{display:block;width:100%;margin:0 0 16px;padding:12px 14px;border:1px solid #8a94a1;border-radius:8px;background:#fff;color:inherit;font:inherit}",
  "button{display:block;width:100%;padding:13px 18px;border:0;border-radius:8px;background:#1a5fb4;color:#fff;font:inherit;font-weight:600;cursor:pointer}",
  "a:focus-visible,input:focus-visible,textarea:focus-visible,button:focus-visible{outline:3px solid #6ea8e8;outline-offset:2px}",
  "@media(prefers-color-scheme:dark){body{background:#14181d;color:#e6eaef}main,input,textarea{background:#1d232a;border-color:#3a444f}a{color:#8fc0f5}.note{color:#a9b4c0}.wrong{color:#ff9c90}button{background:#2b6cc0}}"
].join("")

const styleHash = createHash("sha256").update(style).digest("base64")

/** A page of the platform on a site's host. It runs no scripts, loads nothing and is not cached. */
export const plainPage = (page: {
  readonly status: number
  /** The language as a BCP 47 tag. */
  readonly language: string
  readonly title: string
  readonly content: Markup
  readonly isWide?: boolean
  /** The SHA-256 digest of the only script in the content. */
  readonly scriptDigest?: string
  readonly headers?: Readonly<Record<string, string>>
}): SiteAnswer => ({
  status: page.status,
  headers: {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}';${page.scriptDigest === undefined ? "" : ` script-src 'sha256-${page.scriptDigest}';`} form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
    ...page.headers
  },
  body: html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main${attribute("class", page.isWide === true && "wide")}>
<h1>${page.title}</h1>
${page.content}
</main>
</body>
</html>
`.markup
})
