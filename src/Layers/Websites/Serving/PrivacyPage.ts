import { createHash } from "node:crypto"
import type { LegalIdentity } from "../../../Services/Accounts/AccountSettings.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { html, Markup, nothing } from "../../../Services/Text/Web/Html.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
import { plainPage } from "./PlainPage.ts"
import type { SiteAnswer } from "./SiteRoute.ts"

interface Words {
  readonly title: string
  readonly who: (name: string) => string
  readonly contact: string
  readonly visits: readonly [heading: string, text: string]
  readonly forms: readonly [heading: string, text: string]
  readonly records: readonly [heading: string, text: string]
  readonly signIn: string
  readonly access: string
  readonly noForms: string
  readonly tracking: readonly [heading: string, before: string, after: string]
  readonly withdraw: string
  readonly withdrawn: string
  readonly rights: readonly [heading: string, text: string]
  readonly host: string
  readonly back: string
}

const en: Words = {
  title: "Privacy",
  who: (name) => `${name} is responsible for this site and for what it does with personal data.`,
  contact: "Contact",
  visits: [
    "Visits",
    "Visits are counted without cookies and without keeping addresses. From the network address and the browser's name a hash is made with a random value that is thrown away when the day is over everywhere; from then on nobody can tell visitors apart or recognise them. What is kept are sums: views by page, day, kind of device, and the site that a visitor came from."
  ],
  forms: [
    "Forms",
    "What you send by a form is stored so that you can be answered, together with the time, the page, the version of the text that you agreed to, and where you came from. The legal basis is your consent (LGPD art. 7, I; GDPR art. 6(1)(a)), which you may withdraw at any time. News and offers are sent only to those who asked for them separately."
  ],
  records: [
    "Records",
    "The site keeps what is sent to it in lists. Those that are public show no e-mail addresses and no phone numbers."
  ],
  signIn:
    "Who signs in to see their own records gets a code by mail. The session is a cookie that is needed for it; it holds nothing else and ends by itself.",
  access:
    "This site is restricted. Whoever is let in gets a cookie that is needed for it, holds nothing about them and ends after twelve hours.",
  noForms: "This site has no forms and stores nothing that visitors send.",
  tracking: [
    "Measuring by other services",
    "Only if you agree, these services are loaded, set their own cookies and learn of your visit:",
    "Your decision is kept in your browser alone, without a cookie, and you can change it here."
  ],
  withdraw: "Withdraw or decide anew",
  withdrawn: "Your decision is forgotten. You are asked again on the next page.",
  rights: [
    "Your rights",
    "You may ask what is stored of you, have it corrected or deleted, receive it in a common format, object to its use, and complain to your data protection authority (in Brazil the ANPD). Write to the contact above."
  ],
  host: "The platform that hosts this site processes data on behalf of whoever is responsible for it.",
  back: "Back to the site"
}

const pt: Words = {
  title: "Privacidade",
  who: (name) => `${name} é responsável por este site e pelo que ele faz com dados pessoais.`,
  contact: "Contato",
  visits: [
    "Visitas",
    "As visitas são contadas sem cookies e sem guardar endereços. Do endereço de rede e do nome do navegador faz-se um hash com um valor aleatório, que é jogado fora quando o dia termina em todo lugar; a partir daí ninguém distingue nem reconhece visitantes. O que fica são somas: visualizações por página, dia, tipo de aparelho e o site de onde o visitante veio."
  ],
  forms: [
    "Formulários",
    "O que você envia por um formulário é guardado para que você receba uma resposta, junto com a hora, a página, a versão do texto com o qual você concordou e de onde você veio. A base legal é o seu consentimento (LGPD, art. 7º, I; GDPR, art. 6(1)(a)), que pode ser retirado a qualquer momento. Novidades e ofertas vão só para quem as pediu à parte."
  ],
  records: ["Registros", "O site guarda em listas o que lhe é enviado. As públicas não mostram e-mails nem telefones."],
  signIn:
    "Quem entra para ver os próprios registros recebe um código por e-mail. A sessão é um cookie necessário para isso; ele não contém mais nada e termina sozinho.",
  access:
    "Este site é restrito. Quem entra recebe um cookie necessário para isso, que não contém nada sobre a pessoa e termina em doze horas.",
  noForms: "Este site não tem formulários e não guarda nada que visitantes enviem.",
  tracking: [
    "Medição por outros serviços",
    "Somente se você concordar, estes serviços são carregados, gravam os próprios cookies e ficam sabendo da sua visita:",
    "A sua decisão fica só no seu navegador, sem cookie, e pode ser mudada aqui."
  ],
  withdraw: "Retirar ou decidir de novo",
  withdrawn: "A sua decisão foi esquecida. A próxima página pergunta de novo.",
  rights: [
    "Seus direitos",
    "Você pode perguntar o que está guardado sobre você, pedir correção ou exclusão, receber os dados em formato comum, opor-se ao uso e reclamar à ANPD. Escreva para o contato acima."
  ],
  host: "A plataforma que hospeda este site trata dados em nome de quem é responsável por ele.",
  back: "Voltar ao site"
}

const es: Words = {
  title: "Privacidad",
  who: (name) => `${name} es responsable de este sitio y de lo que hace con datos personales.`,
  contact: "Contacto",
  visits: [
    "Visitas",
    "Las visitas se cuentan sin cookies y sin guardar direcciones. De la dirección de red y del nombre del navegador se hace un hash con un valor aleatorio que se desecha cuando el día ha terminado en todas partes; desde entonces nadie puede distinguir ni reconocer visitantes. Lo que queda son sumas: páginas vistas por página, día, tipo de aparato y el sitio del que vino el visitante."
  ],
  forms: [
    "Formularios",
    "Lo que envía por un formulario se guarda para poder responderle, junto con la hora, la página, la versión del texto que aceptó y de dónde vino. La base legal es su consentimiento (RGPD, art. 6(1)(a); LGPD, art. 7, I), que puede retirar en cualquier momento. Las novedades y ofertas se envían solo a quien las pidió aparte."
  ],
  records: [
    "Registros",
    "El sitio guarda en listas lo que se le envía. Las públicas no muestran correos ni teléfonos."
  ],
  signIn:
    "Quien entra para ver sus propios registros recibe un código por correo. La sesión es una cookie necesaria para ello; no contiene nada más y termina sola.",
  access:
    "Este sitio es restringido. Quien entra recibe una cookie necesaria para ello, que no contiene nada sobre la persona y termina a las doce horas.",
  noForms: "Este sitio no tiene formularios y no guarda nada que envíen los visitantes.",
  tracking: [
    "Medición por otros servicios",
    "Solo si usted acepta, se cargan estos servicios, ponen sus propias cookies y saben de su visita:",
    "Su decisión queda solo en su navegador, sin cookie, y puede cambiarla aquí."
  ],
  withdraw: "Retirar o decidir de nuevo",
  withdrawn: "Su decisión se ha olvidado. La próxima página vuelve a preguntar.",
  rights: [
    "Sus derechos",
    "Puede preguntar qué se guarda de usted, pedir que se corrija o se borre, recibirlo en un formato común, oponerse a su uso y reclamar ante la autoridad de protección de datos. Escriba al contacto de arriba."
  ],
  host: "La plataforma que aloja este sitio trata datos por cuenta de quien es responsable de él.",
  back: "Volver al sitio"
}

const words: { readonly [L in Language]: Words } = { "pt-BR": pt, en, es }

const withdrawScript =
  'document.querySelector("button").onclick=e=>{localStorage.removeItem("consent");e.target.nextElementSibling.hidden=false}'
const withdrawDigest = createHash("sha256").update(withdrawScript).digest("base64")

const blocksOf = ({ pages }: Site) =>
  pages.flatMap(({ blocks, variants }) => [...blocks, ...variants.flatMap((each) => each.blocks)])

const contactsOf = (site: Site): ReadonlyArray<string> => {
  const contact = blocksOf(site).find((block) => block._tag === "Contact")
  return [contact?.email, contact?.phone, contact?.address].flatMap((each) =>
    each === undefined || each === null || each === "" ? [] : [each]
  )
}

/**
 * Describes what the site stores about its visitors, and who is responsible. Features that the site doesn't have are
 * left out.
 */
export const privacyPage = (
  { isRestricted, site, storesData, tracking }: PublishedSite,
  { email, taxName }: LegalIdentity
): SiteAnswer => {
  const language = siteLanguage(site.language)
  const text = words[language]
  const blocks = blocksOf(site)
  const hasForms = blocks.some(({ _tag }) => _tag === "Form")
  const hasOwnRecords = blocks.some((block) => block._tag === "Records" && block.shows === "own")
  const services = [
    ...(tracking.analytics_measurement_id === null ? [] : ["Google Analytics"]),
    ...(tracking.ads_conversion_id === null ? [] : ["Google Ads"]),
    ...(tracking.pixel_id === null ? [] : ["Meta Pixel"])
  ]
  const part = ([heading, body]: readonly [string, string]) => html`<h2>${heading}</h2>\n<p>${body}</p>`
  const paragraph = (body: string) => html`<p>${body}</p>`
  const siteContacts = contactsOf(site)
  const contacts = siteContacts.length > 0 || email === null ? siteContacts : [email]
  const [trackingHeading, beforeServices, afterServices] = text.tracking
  const trackingPart = html`<h2>${trackingHeading}</h2>
<p>${beforeServices}</p>
<ul>${services.map((name) => html`<li>${name}</li>`)}</ul>
<p>${afterServices}</p>
<p><button type="button">${text.withdraw}</button><span hidden role="status">${text.withdrawn}</span></p>
<script>${new Markup(withdrawScript)}</script>`
  const parts = [
    paragraph(text.who(taxName ?? site.name)),
    contacts.length === 0 ? nothing : paragraph(`${text.contact}: ${contacts.join(" · ")}`),
    part(text.visits),
    hasForms ? part(text.forms) : paragraph(text.noForms),
    storesData ? part(text.records) : nothing,
    storesData && hasOwnRecords ? paragraph(text.signIn) : nothing,
    isRestricted ? paragraph(text.access) : nothing,
    services.length === 0 ? nothing : trackingPart,
    part(text.rights),
    html`<p class="note">${text.host}</p>`,
    html`<p><a href="/">${text.back}</a></p>`
  ]
  return plainPage({
    status: 200,
    language,
    title: `${text.title} · ${site.name}`,
    content: html`${parts}`,
    isWide: true,
    ...(services.length === 0 ? {} : { scriptDigest: withdrawDigest })
  })
}
