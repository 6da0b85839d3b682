import { HttpServerResponse } from "@effect/platform"
import type { Language } from "../../../Services/Text/Language.ts"
import { attribute, html, type Markup, Markup as MarkupOf, nothing } from "../../../Services/Text/Web/Html.ts"
import { addableKinds } from "../../../Services/Websites/Editor/EditedSections.ts"
import { type EditableText, editableBlocks } from "../../../Services/Websites/Editor/EditedTexts.ts"
import { type EditorWords, editorWords } from "../../../Services/Websites/Editor/EditorWords.ts"
import type { EditedSite } from "../../../Services/Websites/Editor/WebsiteEditor.ts"
import type { RecordCollection } from "../../../Services/Websites/Forms/SiteRecords.ts"
import type { SitePage } from "../../../Services/Websites/Site.ts"
import type { ListedCode, Snapshot, WebsiteView } from "../../../Services/Websites/Websites.ts"

const style = [
  ":root{color-scheme:light}*{box-sizing:border-box}",
  "body{margin:0;background:#f3f5f8;color:#1d2733;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  "main{max-width:1040px;margin:0 auto;padding:24px 20px 64px}",
  "h1{margin:8px 0 4px;font-size:26px;line-height:1.25}h2{margin:0 0 12px;font-size:19px}h3{margin:24px 0 8px;font-size:16px}",
  "section{margin:20px 0 0;padding:24px;background:#fff;border:1px solid #e2e7ee;border-radius:14px}",
  "p{margin:0 0 12px}a{color:#1a5fb4}.quiet{color:#55616f;font-size:14px}",
  ".note{margin:16px 0 0;padding:12px 16px;border-radius:10px;background:#e2f5e8}.note.trouble{background:#fdf0dc}",
  "iframe{display:block;width:100%;height:520px;border:1px solid #e2e7ee;border-radius:10px;background:#fff}",
  "label{display:block;margin:12px 0 4px;font-size:14px;font-weight:600}",
  "input,textarea,select{display:block;width:100%;padding:10px 12px;border:1px solid #8a94a1;border-radius:8px;background:#fff;color:inherit;font:inherit}textarea{min-height:96px;resize:vertical}input[type=color]{width:72px;height:44px;padding:4px}.row form{display:inline-block;margin:0 0 0 8px}",
  "button{margin:16px 0 0;padding:12px 18px;border:0;border-radius:8px;background:#1a5fb4;color:#fff;font:inherit;font-weight:600;cursor:pointer}button.small{margin:0;padding:8px 12px;font-size:14px;background:#e5effb;color:#164f96}",
  "a:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,button:focus-visible{outline:3px solid #6ea8e8;outline-offset:2px}",
  ".tabs{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px;padding:0;list-style:none}.tabs a{display:block;padding:6px 12px;border-radius:8px;background:#eef2f7;text-decoration:none}.tabs a[aria-current]{background:#1a5fb4;color:#fff}",
  "fieldset{margin:16px 0 0;padding:4px 16px 16px;border:1px solid #e2e7ee;border-radius:10px}legend{padding:0 6px;font-weight:600}",
  ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}.pictures img{display:block;width:100%;height:180px;object-fit:cover;border-radius:10px;background:#eef2f7}",
  "table{width:100%;border-collapse:collapse}td{padding:10px 8px 10px 0;border-top:1px solid #e2e7ee;vertical-align:top}td:last-child{text-align:right;white-space:nowrap;padding-right:0}",
  "@media(max-width:600px){main{padding:16px 12px 48px}section{padding:18px 14px}td{display:block;border:0;padding:4px 0}td:first-child{border-top:1px solid #e2e7ee;padding-top:12px}td:last-child{text-align:left}}"
].join("")

const headers = (frames: "'self'" | "'none'") => ({
  "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-src ${frames}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // The address contains the key. Only the gateway itself gets it as a referrer, to recognise its own forms.
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store",
  Vary: "Accept-Language"
})

/** A notice at the top of the page. */
export interface EditorNote {
  readonly text: string
  readonly isTrouble: boolean
}

/** Everything that the page shows. */
export interface EditorState {
  readonly language: Language
  /** The page's path: `/site-editor/…`. */
  readonly address: string
  /** The token of this rendering of the page. */
  readonly token: string
  readonly website: WebsiteView
  readonly edited: EditedSite
  readonly pageId: string | undefined
  readonly codes: ReadonlyArray<ListedCode>
  readonly snapshots: ReadonlyArray<Snapshot>
  readonly collections: ReadonlyArray<RecordCollection>
  readonly notes: ReadonlyArray<EditorNote>
  /** Input that could not be saved. */
  readonly typed: ReadonlyMap<string, string>
}

const noteOf = ({ isTrouble, text }: EditorNote): Markup =>
  html`<p class="note${isTrouble ? " trouble" : ""}" role="status">${text}</p>`

const frame = (language: Language, title: string, content: Markup, status: number, frames: "'self'" | "'none'") =>
  HttpServerResponse.text(
    html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new MarkupOf(style)}</style>
</head>
<body><main>${content}</main></body>
</html>
`.markup,
    { status, contentType: "text/html; charset=utf-8", headers: headers(frames) }
  )

/** A page with nothing but a message. */
export const editorNotice = (language: Language, status: number, text: (words: EditorWords) => string) => {
  const words = editorWords[language]
  return frame(
    language,
    words.title,
    html`<h1>${words.title}</h1>${noteOf({ text: text(words), isTrouble: true })}`,
    status,
    "'none'"
  )
}

const shownPage = ({ edited: { site }, pageId }: EditorState): SitePage | undefined =>
  site.pages.find(({ id }) => id === pageId) ?? site.pages[0]

const begin = ({ token }: EditorState, act: string): Markup =>
  html`<form method="post"><input type="hidden" name="token" value="${token}"><input type="hidden" name="act" value="${act}">`

const textField = (text: EditableText, { typed }: EditorState, words: EditorWords): Markup => {
  const id = `text-${text.path}`
  const value = typed.get(text.path) ?? text.value
  const label = html`<label for="${id}">${words.fields[text.key] ?? text.key}</label>`
  return text.isLong
    ? // HTML ignores a line break right after the tag.
      html`${label}<textarea id="${id}" name="text:${text.path}" maxlength="${text.longest}">
${value}</textarea>`
    : html`${label}<input id="${id}" name="text:${text.path}" maxlength="${text.longest}" value="${value}">`
}

const preview = (state: EditorState, page: SitePage, words: EditorWords): Markup => {
  const { pages } = state.edited.site
  const tabs =
    pages.length === 1
      ? nothing
      : html`<ul class="tabs" aria-label="${words.pages}">${pages.map(
          ({ id, label, title }) =>
            html`<li><a href="${state.address}?page=${id}"${attribute("aria-current", id === page.id && "page")}>${label === "" ? title : label}</a></li>`
        )}</ul>`
  return html`<section><h2>${words.preview}</h2>${tabs}<iframe sandbox title="${words.preview}" src="${state.address}/preview?page=${page.id}&amp;code=${state.edited.codeId}"></iframe></section>`
}

const texts = (state: EditorState, page: SitePage, words: EditorWords): Markup =>
  html`<section><h2>${words.texts}</h2>${begin(state, "texts")}<input type="hidden" name="page" value="${page.id}">${editableBlocks(
    page
  )
    .filter((block) => block.texts.length > 0)
    .map(
      ({ kind, texts: found, variant }) =>
        html`<fieldset><legend>${words.blocks[kind]}${variant === undefined ? nothing : html` · ${words.variant(variant)}`}</legend>${found.map((text) => textField(text, state, words))}</fieldset>`
    )}<button type="submit">${words.saveTexts}</button></form></section>`

/** A button in a separate form. */
const button = (
  state: EditorState,
  page: SitePage,
  block: string,
  act: string,
  label: string,
  more: Markup = nothing
) =>
  html`${begin(state, act)}<input type="hidden" name="page" value="${page.id}"><input type="hidden" name="block" value="${block}">${more}<button class="small" type="submit">${label}</button></form>`

const direction = (to: "up" | "down"): Markup => html`<input type="hidden" name="direction" value="${to}">`

const sections = (state: EditorState, page: SitePage, words: EditorWords): Markup => {
  const rows = page.blocks.map(
    ({ _tag, id, title }) =>
      html`<tr><td><span class="quiet">${words.blocks[_tag]}</span> ${title}</td><td class="row">${button(state, page, id, "move", words.moveUp, direction("up"))}${button(state, page, id, "move", words.moveDown, direction("down"))}${button(state, page, id, "remove", words.removeSection)}</td></tr>`
  )
  const kinds = addableKinds.map((kind) => html`<option value="${kind}">${words.blocks[kind]}</option>`)
  const typed = (name: string): string => state.typed.get(`section-${name}`) ?? ""
  return html`<section><h2>${words.sections}</h2><table><tbody>${rows}</tbody></table><h3>${words.newSection}</h3>${begin(state, "add")}<input type="hidden" name="page" value="${page.id}"><label for="section-kind">${words.sectionKind}</label><select id="section-kind" name="kind">${kinds}</select><label for="section-title">${words.fields["title"] ?? ""}</label><input id="section-title" name="section_title" maxlength="160" required value="${typed("title")}"><label for="section-text">${words.sectionText}</label><textarea id="section-text" name="section_text" maxlength="4000" required aria-describedby="section-forms">
${typed("text")}</textarea><p class="quiet" id="section-forms">${words.sectionForms}</p><button type="submit">${words.addSection}</button></form></section>`
}

const colors = (state: EditorState, page: SitePage, words: EditorWords): Markup => {
  const { accent, brand } = state.edited.site.theme
  return html`<section><h2>${words.colors}</h2>${begin(state, "colors")}<input type="hidden" name="page" value="${page.id}"><label for="color-brand">${words.brandColor}</label><input id="color-brand" type="color" name="brand" value="${brand}"><label for="color-accent">${words.accentColor}</label><input id="color-accent" type="color" name="accent" value="${accent ?? brand}"><button type="submit">${words.saveColors}</button></form></section>`
}

const pictures = (state: EditorState, page: SitePage, words: EditorWords): Markup => {
  const { site, pictures: digests } = state.edited
  if (site.pictures.length === 0) return nothing
  return html`<section><h2>${words.pictures}</h2><div class="pictures">${site.pictures.map(({ id, prompt }) => {
    const digest = digests.get(id)
    const field = `picture-${id}`
    return html`<div>${digest === undefined ? html`<p class="quiet">${words.noPicture}</p>` : html`<img src="${state.address}/picture/${digest}" alt="${prompt}" loading="lazy">`}${begin(state, "picture")}<input type="hidden" name="page" value="${page.id}"><input type="hidden" name="picture" value="${id}"><label for="${field}">${words.describe}</label><textarea id="${field}" name="prompt" maxlength="1000" required>
${state.typed.get(field) ?? prompt}</textarea><button type="submit">${words.makePicture}</button></form></div>`
  })}</div></section>`
}

const versions = (state: EditorState, words: EditorWords): Markup => {
  const date = (instant: string) =>
    html`<time datetime="${instant}">${instant.slice(0, 16).replace("T", " ")} UTC</time>`
  const restore = (id: number) =>
    html`${begin(state, "restore")}<input type="hidden" name="code" value="${id}"><button class="small" type="submit">${words.restore}</button></form>`
  const rows = [
    ...state.codes.map(({ changes, created_at, is_published, kind, prompt, website_code_id }) => ({
      id: website_code_id,
      date: created_at,
      content: html`<strong>${words.kinds[kind]}</strong>${prompt === "" ? nothing : html`: ${prompt.slice(0, 200)}`}${
        changes.length === 0 ? nothing : html`<br><span class="quiet">${changes.join(" ").slice(0, 500)}</span>`
      }`,
      act: is_published ? html`${words.current}` : restore(website_code_id)
    })),
    ...state.snapshots.map(({ created_at, snapshot_description, website_code_id }) => ({
      id: website_code_id,
      date: created_at,
      content: html`<strong>${words.snapshot}</strong>: ${snapshot_description}`,
      act: restore(website_code_id)
    }))
  ].toSorted((a, b) => b.id - a.id)
  return html`<section><h2>${words.versions}</h2><table><tbody>${rows.map(
    ({ act, content, date: instant }) =>
      html`<tr><td class="quiet">${date(instant)}</td><td>${content}</td><td>${act}</td></tr>`
  )}</tbody></table></section>`
}

const records = ({ address, collections }: EditorState, words: EditorWords): Markup =>
  collections.length === 0
    ? nothing
    : html`<section><h2>${words.records}</h2><table><tbody>${collections.map(
        ({ collection, count, label }) =>
          html`<tr><td>${label}</td><td>${count}</td><td><a href="${address}/records?${new MarkupOf(
            new URLSearchParams({ collection }).toString()
          )}">${words.download}</a></td></tr>`
      )}</tbody></table></section>`

/** The page on which an owner edits a site. It works without scripts, and content of the site cannot run one. */
export const editorPage = (state: EditorState, status = 200) => {
  const words = editorWords[state.language]
  const { website } = state
  const page = shownPage(state)
  const isBusy = website.status === "queued" || website.status === "running"
  const notes = [
    ...state.notes,
    ...(isBusy ? [{ text: words.inWriting, isTrouble: true }] : []),
    ...(website.status === "failed" && website.failure_detail !== null
      ? [{ text: words.failed(website.failure_detail), isTrouble: true }]
      : [])
  ]
  const content = html`<h1>${website.title}</h1><p class="quiet"><a href="${website.url}" rel="noopener noreferrer">${words.open}</a></p>${notes.map(noteOf)}${
    page === undefined
      ? nothing
      : html`${preview(state, page, words)}${texts(state, page, words)}${sections(state, page, words)}${colors(state, page, words)}${pictures(state, page, words)}`
  }${versions(state, words)}${records(state, words)}<section><h2>${words.title}</h2><p>${words.secret}</p>${begin(state, "renew")}<button class="small" type="submit">${words.renew}</button></form></section>`
  return frame(state.language, `${words.title}: ${website.title}`, content, status, "'self'")
}
