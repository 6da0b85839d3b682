import * as fc from "fast-check"
import { Parser } from "htmlparser2"

/** What an owner's description and a visitor's submission may hold, and how a page is judged that was made of it. */

/** Stands in whatever must not run, and in no tag, attribute or script of a page. */
const mark = "pwned"

const markup = [
  `<script>${mark}()</script>`,
  `"><img src=x onerror=${mark}()>`,
  `' autofocus onfocus='${mark}()`,
  `</style><script>${mark}()</script>`,
  `</title></textarea><svg onload=${mark}()>`,
  `--><${mark}>`,
  `<base href="//${mark}.example">`,
  `javascript:${mark}()`,
  `java\tscript:${mark}()`,
  `https://a.example/"onmouseover="${mark}()`,
  `https://${mark}@a.example\\@b.example/`,
  `[x](javascript:${mark}())`,
  `ana@client.example"><${mark}>`,
  `"<${mark}>"@client.example`,
  `mailto:a@b.example?subject=</a><${mark}>`,
  `＜script＞${mark}()＜/script＞`,
  `&lt;script&gt;${mark}()&lt;/script&gt;`,
  `&#60;${mark}&#62;`,
  `\${${mark}}{{${mark}}}<%=${mark}%>`,
  `]]></script><!--${mark}`,
  `\u2028${mark}()\u2029`,
  `"}},"@type":"${mark}`
] as const

const tricks = [
  "\u202egnp.exe",
  "\u2066\u2067\u2068",
  "\u0000",
  "\ud800",
  "a\u0300\u0301\u0302".repeat(200),
  "\u{e0001}\u{e0041}",
  "İıßﬀ",
  "👩‍👩‍👧‍👦".repeat(40),
  "\u00a0\u2003\u3000",
  "\r\n\r\nSet-Cookie: a=b",
  "x".repeat(3000),
  "9".repeat(400),
  " ".repeat(2000),
  "\n".repeat(500)
] as const

/** Parts of what the writer by rules understands, each with a gap for what it must not. */
const descriptions: ReadonlyArray<(piece: string) => string> = [
  (piece) => `Página para a Clínica ${piece}, clínica em Curitiba. `,
  (piece) => `Landing page for ${piece} in Boston. We offer ${piece}, cleaning and ${piece}. `,
  (piece) => `Cores ${piece}. Cor da marca #1a5fb4${piece}. `,
  (piece) => `Colours #${piece}, rgb(${piece}), url(${piece}). `,
  (piece) => `\nCardápio:\n- ${piece} – R$ 22\n- Café${piece} – R$ ${piece}\n`,
  (piece) => `\n"It was ${piece} and good for all of us." - ${piece}, partner at ${piece}\n`,
  (piece) => `WhatsApp (41) 99876-5432${piece}. Telefone ${piece}. E-mail ola@sol.example${piece}. `,
  (piece) => `Rua das Flores, 120 ${piece}, Curitiba. Aberto de terça a domingo, das 7h às 19h ${piece}. `,
  (piece) => `Instagram https://instagram.com/${piece} e site ${piece}. `,
  (piece) => `Formulário com nome, e-mail, telefone, ${piece}, __proto__, constructor, _token, senha e ${piece}. `,
  (piece) => `Campanha ${piece}. Botão "${piece}". Título: ${piece}. Slogan: ${piece}. `,
  (piece) => `Mais de 1.200 clientes ${piece}. Equipe: ${piece} (${piece}). `,
  (piece) => `Perguntas frequentes:\n${piece}?\n${piece}.\n`,
  (piece) => piece
]

const piece = fc.constantFrom<string>(...markup, ...markup, ...tricks)

/** At most 8 000 characters, as the tools take them, or some more. */
export const hostileDescription: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(fc.constantFrom(...descriptions), piece).map(([text, what]) => text(what)),
      { minLength: 1, maxLength: 8 }
    ),
    fc.nat(20)
  )
  .map(([parts, lot]) => {
    const text = parts.join("")
    return lot === 0 ? text.repeat(Math.ceil(9000 / text.length)) : text.slice(0, 8000)
  })

/** What a page is asked to become. */
export const hostileWish: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      (what: string) => `Troque o título por "${what}"`,
      (what: string) => `Acrescente uma variante com o título ${what}`,
      (what: string) => `Acrescente ao formulário um campo ${what} e um campo __proto__`,
      (what: string) => `Mude a cor para ${what} e o telefone para ${what}`,
      (what: string) => `Acrescente a pergunta "${what}?" com a resposta "${what}"`,
      (what: string) => `Change the button to ${what} and add a section "${what}": ${what}`,
      (what: string) => `Remova ${what}`,
      (what: string) => what
    ),
    piece
  )
  .map(([wish, what]) => wish(what).slice(0, 8000))

export const hostileLanguage = fc.constantFrom(
  "pt-br",
  "pt-br",
  "en-us",
  "es-mx",
  "PT-BR",
  "pt",
  "",
  "xx-xx",
  'pt-br"><p',
  "../../..",
  "pt-br\u0000",
  "x".repeat(30)
)

const kinds = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-7",
  "application/x-www-form-urlencoded;x",
  "multipart/form-data; boundary=x",
  "application/json",
  "text/plain",
  ""
]

/** A request to a site's own paths that no browser sends. */
export interface HostileSubmission {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const values = fc.oneof(
  piece,
  fc.constantFrom("Ana Souza", "ana@client.example", "+55 41 99876-5432", "Sim", "yes", "2026-12-31", "12"),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom("x".repeat(50_000), "é".repeat(9000), "a@".repeat(9000), "\n".repeat(9000), `1${"0".repeat(400)}`)
)

const filledIn = [
  ["nome", "Ana Souza"],
  ["email", "ana@client.example"],
  ["_consent", "yes"]
] as const

/** Sent to a form of these fields; `tokens` are such as a page of the site gave. */
export const hostileSubmission = (
  form: { readonly action: string; readonly fields: ReadonlyArray<string> },
  tokens: ReadonlyArray<string>
): fc.Arbitrary<HostileSubmission> =>
  fc
    .record({
      path: fc.constantFrom(
        form.action,
        form.action,
        form.action,
        "/_/confirm",
        "/_/session",
        "/_/form/x",
        "/_/confirm?x"
      ),
      fields: fc.array(
        fc.tuple(fc.constantFrom(...form.fields, "x", "__proto__", "_consent", "_marketing", "email"), values),
        {
          maxLength: 8
        }
      ),
      token: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...tokens) },
        { weight: 1, arbitrary: fc.constantFrom(...tokens).map((token) => `${token.slice(0, -2)}AA`) },
        { weight: 1, arbitrary: fc.constantFrom("", "x.y", "e30.e30", "%00", "a".repeat(9000)) }
      ),
      others: fc.constantFrom(
        "",
        "",
        "&_consent=yes",
        "&_consent=yes",
        "&_website_url=x",
        "&sign_in=x&code=%00&to=%2F%2Fa.example",
        "&leave=1"
      ),
      isFilledIn: fc.boolean(),
      lot: fc.nat(25),
      kind: fc.constantFrom(...kinds),
      origin: fc.constantFrom("", "", "null", "https://evil.example", "http://[", "x".repeat(2000)),
      cookie: fc.constantFrom("", "", "session=%00", `${"a=1; ".repeat(500)}visitor=x`)
    })
    .map(({ cookie, fields, isFilledIn, kind, lot, origin, others, path, token }) => {
      // The first of a name counts: what is not hostile of them is as it should be.
      const given = [...fields, ...(isFilledIn ? filledIn : [])]
      const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])).toString()
      const whole = `${text}&_token=${encodeURIComponent(token)}${others}`
      // Some are no form at all.
      const body =
        [
          whole.slice(0, whole.length / 2),
          "&".repeat(20_000),
          "%".repeat(20_000),
          "a[".repeat(9000),
          `${whole}&`.repeat(3)
        ][lot] ?? whole
      return {
        path,
        body,
        headers: {
          "content-type": kind,
          ...(origin === "" ? {} : { origin }),
          ...(cookie === "" ? {} : { cookie })
        }
      }
    })

const forbiddenTags = new Set(["base", "object", "embed", "applet", "frame", "frameset"])
const addresses = new Set(["href", "src", "action", "formaction", "xlink:href", "poster", "srcset"])
/** As browsers read an address: without the blanks and controls in it. */
const scheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*(?=:)/i.exec(address.replace(/[\u0000-\u0020]/g, ""))?.[0] ?? ""

/** What runs in a page that was given as a text, or leads where nobody should be led; nothing where nothing does. */
export const whatRuns = (page: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let within = ""
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        within = name
        if (name.includes(mark) || forbiddenTags.has(name)) found.push(`<${name}>`)
        if (name === "meta" && (attributes["http-equiv"] ?? "").toLowerCase() === "refresh")
          found.push("<meta refresh>")
        for (const [attribute, value] of Object.entries(attributes)) {
          if (attribute.startsWith("on") || attribute.includes(mark)) found.push(`${name} ${attribute}`)
          const isAddress = addresses.has(attribute)
          if (isAddress && /^(?:javascript|vbscript|data|file)$/i.test(scheme(value)) && !/^data:image\//i.test(value))
            found.push(`${name} ${attribute}=${value.slice(0, 80)}`)
          if (attribute === "style" && value.includes(mark)) found.push(`${name} style`)
        }
      },
      onclosetag: () => {
        within = ""
      },
      ontext: (text) => {
        if (within === "style" && text.includes(mark)) found.push(`in <style>: ${text.slice(0, 80)}`)
      },
      oncomment: (text) => {
        if (text.includes(mark)) found.push("a comment")
      }
    },
    { decodeEntities: true }
  )
  parser.end(page)
  return found
}

/** The scripts of a page that are code, with the mark in them. Data of a page for search engines is JSON, and may have any text. */
export const scriptsWithMark = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/gi)].flatMap(([, kind = "", code = ""]) => {
    if (!code.includes(mark)) return []
    if (!/application\/ld\+json/.test(kind)) return [code.slice(0, 80)]
    JSON.parse(code)
    return []
  })
