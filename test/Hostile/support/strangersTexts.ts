import { Effect } from "effect"
import * as fc from "fast-check"
import { materialOf } from "../../../bench/sites/SiteMaterials.ts"
import { fromJsonBody, fromQueryString } from "../../../src/Api/RequestArguments.ts"
import { parseQuery } from "../../../src/Layers/Ads/sandbox/AdsSandboxGaql.ts"
import { adapters } from "../../../src/Layers/Crm/Adapters/Adapters.ts"
import { htmlBlocks } from "../../../src/Layers/Knowledge/DocumentText/HtmlBlocks.ts"
import { makeCsvRecords } from "../../../src/Layers/LeadFiles/LeadFileReader/CsvRecords.ts"
import { detectDelimiter } from "../../../src/Layers/LeadFiles/LeadFileReader/Delimiter.ts"
import { unflowed } from "../../../src/Layers/Mail/MailParser/FlowedText.ts"
import { textOfHtml } from "../../../src/Layers/Mail/MailParser/HtmlText.ts"
import { parseRaw } from "../../../src/Layers/Mail/MailParser/ParseMail.ts"
import { jsonOf } from "../../../src/Layers/Platform/AnswerPaths.ts"
import { destinationOf } from "../../../src/Layers/Platform/Outbound/Destination.ts"
import { pageTextOf } from "../../../src/Layers/WebSearch/PageText.ts"
import { makeBrowsers } from "../../../src/Layers/Websites/Traffic/Visitors.ts"
import { fromMillis, parseInstant } from "../../../src/Services/Core/Timestamp.ts"
import { cleanFileName } from "../../../src/Services/Files/FileName.ts"
import { sniffMediaType } from "../../../src/Services/Files/MediaType.ts"
import { passagesOf } from "../../../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../../../src/Services/Knowledge/TextBlocks.ts"
import { withFormulas, withoutFormulas } from "../../../src/Services/LeadFiles/LeadCsv.ts"
import { readAuthenticationResults } from "../../../src/Services/Mail/AuthenticationResults.ts"
import { readInvitationAnswer } from "../../../src/Services/Mail/Invitations.ts"
import { readBrief } from "../../../src/Services/Media/Brief.ts"
import { readMermaid } from "../../../src/Services/Media/Drawings/Mermaid.ts"
import { readDrawing } from "../../../src/Services/Media/Drawings/Readers/DrawingReader.ts"
import { emailsIn, phonesIn } from "../../../src/Services/Replies/Contacts/NamedContacts.ts"
import { cutQuotedText } from "../../../src/Services/Replies/QuotedText.ts"
import { asksToStop, readByReader } from "../../../src/Services/Replies/ReadReply.ts"
import { normaliseEmail, normaliseLinkedInUrl, normalisePhone } from "../../../src/Services/Text/ContactDetails.ts"
import { greetingName } from "../../../src/Services/Text/PersonName.ts"
import { fold, sentencesOf, tidyText } from "../../../src/Services/Text/PlainText.ts"
import { timeMentions } from "../../../src/Services/Text/Times/TimeMentions.ts"
import { linksIn } from "../../../src/Services/Text/Web/Links.ts"
import { decodedSlices, decodePage } from "../../../src/Services/Text/Web/PageCharset.ts"
import { normaliseWebsite } from "../../../src/Services/Text/Web/WebAddress.ts"
import { changeByRules } from "../../../src/Services/Websites/Edits/EditReader.ts"
import { readBody, readForm } from "../../../src/Services/Websites/Forms/FormReading.ts"
import { crawlerToken, isAllowedByRobots, robotsRules } from "../../../src/Services/Websites/Pages/RobotsRules.ts"
import { composeSite } from "../../../src/Services/Websites/Writing/ComposeSite.ts"

/** As long as tools take what an owner wishes. */
const longestWish = 8000
const sitePieces = [
  "Página de captura para ",
  "Clínica Sol",
  " em Curitiba. ",
  "We offer ",
  "Horario: lunes a viernes de 8:00 a 18:00. ",
  "Cardápio:\n- ",
  " – R$ 22\n",
  "\n1. ",
  '"Muito bom para todos" - Ana, sócia da ',
  "WhatsApp (41) 99876-5432",
  "Rua das Flores, 120",
  "ola@sol.example",
  "https://a.example/",
  "Mais de 1.200 clientes",
  "Formulário com nome, e-mail e ",
  "Cores #1a5fb4",
  "Perguntas frequentes:\n",
  "?",
  ", ",
  ": ",
  "e ",
  "“",
  "”",
  "(",
  ")",
  "$"
]
const changePieces = [
  "Troque ",
  "o título ",
  "por ",
  "Acrescente ",
  "uma variante ",
  "Remova ",
  "a seção ",
  "Change ",
  "the colour to ",
  "um campo "
]
const siteOfAttack = composeSite(
  materialOf("Site para a Padaria Sol, padaria em Curitiba. Pães e bolos. Aberta das 7h às 19h.")
).site

/** A reader of what strangers send: pieces of what it understands, and what it does with them. */
export interface ReaderUnderAttack {
  readonly name: string
  readonly pieces: ReadonlyArray<string>
  /** Throws where it does what it must not. Any answer is right. */
  readonly read: (text: string) => unknown
}

const common = [
  "",
  " ",
  "\n",
  "\r\n",
  "\t",
  "\u0000",
  "\ud800",
  "\u202e",
  "é",
  "😀",
  "a",
  "0",
  "9".repeat(30),
  "x".repeat(200)
]
const html = [
  "<p>",
  "</p>",
  "<a href='x'>",
  "</a>",
  "<table>",
  "<tr>",
  "<td>",
  "</td>",
  "</table>",
  "<h1>",
  "</h1>",
  "<li>",
  "<nav>",
  "</nav>",
  "<script>",
  "</script>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&amp;",
  "&#x0;",
  "&#99999999;",
  "<br>",
  "<",
  ">",
  "<title>",
  "<meta charset=utf-7>",
  "<blockquote>",
  "<style>"
]
const headers = [
  "From: a@b.example\r\n",
  "To: <",
  ">\r\n",
  "Subject: =?utf-8?B?",
  "?=",
  "=?utf-8?Q?",
  "Content-Type: multipart/mixed; boundary=x\r\n",
  "Content-Type: text/plain; format=flowed; delsp=yes\r\n",
  "Content-Type: text/html; charset=utf-7\r\n",
  "Content-Transfer-Encoding: base64\r\n",
  "Content-Transfer-Encoding: quoted-printable\r\n",
  "\r\n--x\r\n",
  "\r\n--x--\r\n",
  "\r\n\r\n",
  "References: <a@b> ",
  "Received: by x;\r\n ",
  "Content-Type: message/rfc822\r\n",
  "Content-Disposition: attachment; filename*=utf-8''%",
  "> ",
  "+ADw-",
  "=0A",
  "DQo="
]
const dates = [
  "segunda",
  "terça-feira",
  "amanhã",
  "às 15h",
  "15:30",
  "3 pm",
  "dia 31",
  "31/02",
  "2026-02-30",
  "mês que vem",
  "next friday",
  "el lunes",
  "a las 10",
  "de março",
  "em 2 semanas",
  "29 de fevereiro",
  "10h às 11h",
  "12/25/2026",
  "hoje",
  "noon",
  "às",
  "dia",
  "99:99",
  "/",
  "-",
  ":"
]
const places = [
  "http://",
  "https://",
  "//",
  "www.",
  "a.com",
  "[::1]",
  "127.0.0.1",
  "0x7f.1",
  "①.com",
  "xn--",
  "user:pw@",
  ":443",
  ":99999",
  "/..",
  "?q=",
  "#",
  "%",
  "%00",
  "%zz",
  "\\",
  "@",
  ".",
  "..",
  "localhost",
  "169.254.169.254",
  "linkedin.com/in/"
]
const words = [
  "não me",
  "escreva mais",
  "pare",
  "stop",
  "remove me",
  "unsubscribe",
  "quero",
  "falar",
  "com",
  "Ana",
  "ana@lead.example",
  "+55 11 91234-5678",
  "(11) 9",
  "baja",
  "sair da lista",
  "?",
  "!",
  ".",
  ";",
  "---",
  "On Mon wrote:",
  "> ",
  "Em seg., escreveu:"
]
const cells = [
  ",",
  ";",
  "\t",
  "|",
  '"',
  '""',
  "\n",
  "\r\n",
  "=1+1",
  "＝cmd",
  "'+",
  "@x",
  "-1",
  "name",
  "email",
  "a@b.example",
  "sep=;"
]
const json = [
  "{",
  "}",
  "[",
  "]",
  '"a"',
  '"',
  ":",
  ",",
  "1",
  "1e999",
  "-0",
  "true",
  "null",
  "\\u0000",
  "\\ud800",
  "\\",
  '{"a":1,"a":2}',
  "1.10",
  "//"
]
const texts = ["# ", "## ", "| a | b |", "|---|---|", "* ", "1. ", ". ", "; ", "…", "word ", "WORD"]

const formFields = (["text", "long_text", "email", "phone", "number", "date", "choice", "checkbox"] as const).map(
  (kind, at) => ({
    name: ["name", "text", "email", "phone", "size", "day", "choice", "box"][at] ?? kind,
    label: kind,
    kind,
    is_required: true,
    choices: ["a", "b"]
  })
)

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** Readers of strangers' input that run in the process of the calls or in its threads. */
export const readersUnderAttack: ReadonlyArray<ReaderUnderAttack> = [
  { name: "arguments in JSON", pieces: json, read: (text) => fromJsonBody(Buffer.from(text)) },
  { name: "arguments of a query", pieces: ["a=", "&", "=", "%", "%zz", "%00", "+", "a", "%C3"], read: fromQueryString },
  { name: "mail", pieces: [...headers, ...html], read: (text) => Effect.runPromise(parseRaw(bytesOf(text))) },
  {
    name: "flowed text",
    pieces: ["> ", ">", " \n", "\n", "a ", "-- \n"],
    read: (text) => [unflowed(text, true), unflowed(text, false)]
  },
  { name: "HTML of mail", pieces: html, read: textOfHtml },
  { name: "HTML of documents", pieces: html, read: htmlBlocks },
  {
    name: "HTML of pages",
    pieces: [...html, "charset=", "utf-16le", "shift_jis"],
    read: (text) => pageTextOf(decodePage(bytesOf(text), text.slice(0, 80)))
  },
  {
    name: "results of authentication",
    pieces: ["mx.example;", "dmarc=", "pass", "fail", "(", ")", '"', "header.from=", "a.com", ";", "=", "/1", " "],
    read: readAuthenticationResults
  },
  {
    name: "dates of replies",
    pieces: dates,
    read: (text) =>
      (["pt-BR", "en", "es"] as const).map((language) =>
        timeMentions(fold(text), { today: "2026-03-02", figures: "day", language })
      )
  },
  { name: "wishes of replies", pieces: words, read: (text) => asksToStop(text, "pt-BR") },
  { name: "people in replies", pieces: words, read: (text) => [emailsIn(text), phonesIn(text, "BR"), linksIn(text)] },
  {
    name: "replies",
    pieces: [...words, ...dates],
    read: (text) =>
      readByReader({
        text,
        receivedAt: fromMillis(Date.UTC(2026, 2, 2)),
        timeZone: "America/Sao_Paulo",
        country: "BR",
        leadLanguage: "pt-BR",
        ownContacts: []
      })
  },
  { name: "quotations of replies", pieces: [...words, ...headers], read: cutQuotedText },
  { name: "sentences", pieces: [...words, ...texts], read: (text) => [sentencesOf(text), tidyText(text)] },
  {
    name: "addresses of the web",
    pieces: places,
    read: (text) => [destinationOf(text, {}, false), normaliseWebsite(text), normaliseLinkedInUrl(text)]
  },
  {
    name: "addresses and numbers of people",
    pieces: [...words, "@", "+", "(", ")", "-", "5.5e12"],
    read: (text) => [normaliseEmail(text), normalisePhone(text, "BR")]
  },
  {
    name: "names",
    pieces: ["Dr. ", "Maria", " da ", "SOUZA", ",", "(", ")", "Ltda", "-", "'"],
    read: (text) => greetingName(text, "Acme")
  },
  { name: "instants", pieces: ["2026", "-", "03", "T", ":", "10", "Z", "+", ".", "24", "60"], read: parseInstant },
  { name: "cells with formulas", pieces: cells, read: (text) => [withoutFormulas(text), withFormulas(text)] },
  {
    name: "records of CSV",
    pieces: cells,
    read: (text) =>
      Effect.runPromise(
        Effect.scoped(
          // A file that cannot be read says so.
          Effect.either(
            Effect.flatMap(makeCsvRecords(detectDelimiter(text), 1000), (records) =>
              Effect.zipRight(records.write(Buffer.from(text)), records.end)
            )
          )
        )
      )
  },
  {
    name: "slices of pages",
    pieces: [...html, "charset=", "utf-16be", "gb18030", "\xff\xfe"],
    read: (text) => [...decodedSlices(bytesOf(text), text.slice(0, 80))]
  },
  {
    name: "rules for crawlers",
    pieces: ["user-agent:", "*", "allow:", "disallow:", "/", "$", "#", "%41", "%zz", "\n", "\r", crawlerToken, "ção"],
    read: (text) => isAllowedByRobots(robotsRules(`user-agent:*\n${text}`, crawlerToken), `/${text.slice(0, 2000)}`)
  },
  {
    name: "forms of sites",
    pieces: [
      "name=",
      "email=",
      "phone=",
      "day=",
      "size=",
      "&",
      "%",
      "%0A",
      "%00",
      "+",
      ";",
      "31/02/2026",
      "a@b.example"
    ],
    read: (text) => {
      const sent = readBody(bytesOf(text), "application/x-www-form-urlencoded")
      return sent === undefined
        ? undefined
        : readForm({ fields: formFields }, sent, { country: "BR", language: "pt-BR" })
    }
  },
  {
    name: "descriptions of sites",
    pieces: sitePieces,
    read: (text) => composeSite(materialOf(text.slice(0, longestWish)))
  },
  {
    name: "changes of sites",
    pieces: [...sitePieces, ...changePieces],
    read: (text) => changeByRules(siteOfAttack, text.slice(0, longestWish), materialOf("Padaria Sol"))
  },
  {
    name: "names of browsers",
    pieces: ["Mozilla/5.0 ", "(", ")", "compatible; ", "bot", "Chrome/1", "Safari", "/", ";", "Version/", "."],
    read: (text) => makeBrowsers()(text)
  },
  {
    name: "answers to invitations",
    pieces: [
      "BEGIN:VCALENDAR\r\n",
      "BEGIN:VEVENT\r\n",
      "METHOD:REPLY\r\n",
      "ATTENDEE;PARTSTAT=",
      "ACCEPTED",
      ":",
      ";",
      "\r\n ",
      "UID:",
      "\\,"
    ],
    read: readInvitationAnswer
  },
  {
    name: "prompts of drawings",
    pieces: [
      "1. ",
      "->",
      "- ",
      "a: 10%\n",
      "R$ 1.000",
      "; ",
      "graph TD\n",
      "A-->B\n",
      "A[",
      "]",
      "pie\n",
      "“",
      "('a",
      "#fff"
    ],
    read: (text) => [readDrawing(text), readMermaid(text), readBrief(text)]
  },
  {
    name: "queries of ads",
    pieces: ["select ", "a.b, ", " from campaign where ", "= '", "'", "in (", "and "],
    read: parseQuery
  },
  {
    name: "deliveries of CRMs",
    pieces: [
      ...json,
      '"id":',
      '"data":',
      '"current":',
      '"meta":',
      '"deal":',
      '"object":',
      '"0":',
      '"New":',
      '"event":'
    ],
    read: (text) => {
      const body = jsonOf(bytesOf(text))
      return Object.values(adapters).map(({ webhooks }) => webhooks?.dealOf(body))
    }
  },
  { name: "documents", pieces: texts, read: (text) => passagesOf(textBlocks(text)) },
  { name: "names of files", pieces: ["..", "/", "\\", ".pdf", "con", "\u202e", "%2f", ".", " "], read: cleanFileName },
  {
    name: "kinds of files",
    pieces: ["\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", "PK\x03\x04", "%PDF-", "<svg", "RIFF", "WEBP"],
    read: (text) => sniffMediaType(bytesOf(text), "x")
  }
]

/** Texts of a reader's pieces; one in `rare` repeats some of them until it is `longest` characters long. */
export const textsFor = (
  { pieces }: ReaderUnderAttack,
  { longest, rare }: { readonly longest: number; readonly rare: number }
): fc.Arbitrary<string> => {
  const some = fc.array(fc.constantFrom(...pieces, ...common), { maxLength: 24 }).map((parts) => parts.join(""))
  return fc
    .tuple(some, some, fc.nat(rare - 1))
    .map(([first, second, lot]) =>
      lot > 0 || first === "" ? first : `${first.repeat(Math.ceil(longest / first.length)).slice(0, longest)}${second}`
    )
}
