import { escapeHtml } from "../../Services/Mail/MailText.ts"
import { type Language, languageOf } from "../../Services/Text/Language.ts"

interface Words {
  readonly title: string
  readonly ask: string
  readonly button: string
  readonly done: string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    title: "Cancelar recebimento",
    ask: "Não quer mais receber estas mensagens? Confirme abaixo.",
    button: "Cancelar recebimento",
    done: "Pronto. Você não receberá mais estas mensagens."
  },
  en: {
    title: "Unsubscribe",
    ask: "Would you rather not get these messages? Please confirm.",
    button: "Unsubscribe",
    done: "Done. You will get no more of these messages."
  },
  es: {
    title: "Darse de baja",
    ask: "¿No desea recibir más estos mensajes? Confírmelo aquí.",
    button: "Darme de baja",
    done: "Listo. No recibirá más estos mensajes."
  }
}

/** The first language that a browser asks for and that there is. */
export const pageLanguage = (acceptLanguage: string | undefined): Language => {
  const asked = (acceptLanguage ?? "")
    .slice(0, 500)
    .split(",")
    .map((range) => (range.split(";")[0] ?? "").trim())
    .find((range) => /^(?:pt|en|es)(?:-|$)/i.test(range))
  return languageOf(asked ?? "pt")
}

const style =
  "body{font-family:sans-serif;max-width:30em;margin:15vh auto;padding:0 1em;text-align:center;color:#222}button{font-size:1em;padding:.7em 1.4em;border:0;border-radius:.4em;background:#1a5fb4;color:#fff;cursor:pointer}"

const page = (language: Language, content: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(words[language].title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(words[language].title)}</h1>
${content}
</body>
</html>
`

/** Asks; its form goes back to the address that it came from, so that the page itself holds no secret. */
export const askingPage = (language: Language): string =>
  page(
    language,
    `<p>${escapeHtml(words[language].ask)}</p>
<form method="post"><input type="hidden" name="confirm" value="yes"><button type="submit">${escapeHtml(words[language].button)}</button></form>`
  )

export const donePage = (language: Language): string => page(language, `<p>${escapeHtml(words[language].done)}</p>`)

export const pageHeaders: { readonly [name: string]: string } = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store",
  Vary: "Accept-Language"
}
