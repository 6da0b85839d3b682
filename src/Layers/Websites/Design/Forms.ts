import { attribute, html, type Markup, nothing } from "../../../Services/Text/Web/Html.ts"
import { type FormBlock, hiddenFields } from "../../../Services/Websites/Forms/SiteForms.ts"
import type { SiteField } from "../../../Services/Websites/Site.ts"
import type { PagePhrases } from "./PagePhrases.ts"
import type { FormState, RenderContext } from "./RenderContext.ts"

interface Sheet {
  readonly context: RenderContext
  readonly phrases: PagePhrases
  readonly isCapturePage: boolean
}

const autocomplete = ({ kind, name }: SiteField): string | undefined => {
  if (kind === "email") return "email"
  if (kind === "phone") return "tel"
  return /^(?:name|nome|nombre|full-name)$/.test(name)
    ? "name"
    : /^(?:company|empresa)$/.test(name)
      ? "organization"
      : undefined
}

const inputTypes = { text: "text", email: "email", phone: "tel", number: "number", date: "date" } as const

const field = (block: FormBlock, each: SiteField, state: FormState | undefined, phrases: PagePhrases): Markup => {
  const id = `${block.id}-${each.name}`
  const value = state?.values[each.name]
  const error = state?.errors[each.name]
  const common = html`${attribute("required", each.is_required)}${attribute("aria-invalid", error !== undefined && "true")}${attribute("aria-describedby", error !== undefined && `${id}-error`)}`
  const complaint = error === undefined ? nothing : html`<p class="error" id="${id}-error">${error}</p>`
  if (each.kind === "checkbox")
    return html`<div class="field check"><input type="checkbox" id="${id}" name="${each.name}" value="yes"${attribute("checked", value === "yes")}${common}><label for="${id}">${each.label}</label>${complaint}</div>`
  const label = html`<label for="${id}">${each.label}${each.is_required ? nothing : html` <span class="hint">(${phrases.optional})</span>`}</label>`
  if (each.kind === "choice")
    return html`<div class="field">${label}<select id="${id}" name="${each.name}"${common}><option value="">${phrases.choose}</option>${each.choices.map(
      (choice) => html`<option value="${choice}"${attribute("selected", value === choice)}>${choice}</option>`
    )}</select>${complaint}</div>`
  if (each.kind === "long_text")
    return html`<div class="field wide">${label}<textarea id="${id}" name="${each.name}" rows="5" maxlength="4000"${common}>
${value ?? ""}</textarea>${complaint}</div>`
  const type = inputTypes[each.kind]
  const longest = type === "text" || type === "email" || type === "tel" ? "300" : undefined
  return html`<div class="field">${label}<input type="${type}" id="${id}" name="${each.name}"${attribute("value", value)}${attribute("maxlength", longest)}${attribute("step", type === "number" && "any")}${attribute("autocomplete", autocomplete(each))}${common}>${complaint}</div>`
}

const consentFields = (
  block: FormBlock,
  state: FormState | undefined,
  { context, isCapturePage, phrases }: Sheet
): Markup => {
  const id = `${block.id}-consent`
  const error = state?.errors[hiddenFields.consent]
  return html`<div class="field check wide"><input type="checkbox" id="${id}" name="${hiddenFields.consent}" value="yes" required${attribute("checked", state?.values[hiddenFields.consent] === "yes")}${attribute("aria-describedby", error !== undefined && `${id}-error`)}><label for="${id}">${phrases.consent} <a href="${context.origin}${context.privacyUrl}">${phrases.privacy}</a></label>${
    error === undefined ? nothing : html`<p class="error" id="${id}-error">${error}</p>`
  }</div>${
    isCapturePage
      ? html`<div class="field check wide"><input type="checkbox" id="${block.id}-marketing" name="${hiddenFields.marketing}" value="yes"${attribute("checked", state?.values[hiddenFields.marketing] === "yes")}><label for="${block.id}-marketing">${phrases.marketing}</label></div>`
      : nothing
  }`
}

/** Renders the form with its values and errors. Once it was sent, renders the thank-you instead. */
export const formOf = (block: FormBlock, sheet: Sheet): Markup => {
  const { context, phrases } = sheet
  const state = context.forms(block.id)
  if (state?.sent === true)
    return html`<div class="thanks" role="status"><h3>${block.thanks.title}</h3><p>${block.thanks.text}</p></div>`
  const isLive = state !== undefined && context.mode !== "export" && context.mode !== "preview"
  const wrong = state !== undefined && Object.keys(state.errors).length > 0
  const inner = html`${block.fields.map((each) => field(block, each, state, phrases))}${consentFields(block, state, sheet)}<div class="field wide"><button class="button" type="submit"${attribute("disabled", !isLive)}>${block.submit}</button>${isLive ? nothing : html`<p class="hint">${phrases.onlyPublished}</p>`}</div>`
  return html`<form class="form" method="post"${attribute("action", isLive && state.action)} accept-charset="utf-8">${
    wrong ? html`<p class="error" role="alert">${phrases.correct}</p>` : nothing
  }${
    isLive
      ? html`<input type="hidden" name="${hiddenFields.token}" value="${state.token}"><div class="trap" aria-hidden="true"><label for="${block.id}-trap">${phrases.leaveEmpty}</label><input type="text" id="${block.id}-trap" name="${hiddenFields.honeypot}" tabindex="-1" autocomplete="off"></div>`
      : nothing
  }<div class="fields">${inner}</div></form>`
}
