import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

/**
 * A script that reads a page in an isolated world. The page's scripts cannot reach the functions that it uses, and can
 * only change the document that it reads. It shortens all its answers, within the browser.
 */
export const readPage = `(() => {
  const cut = (text, length) => String(text ?? "").replace(/\\s+/g, " ").trim().slice(0, length)
  const all = (selector, most) => Array.from(document.querySelectorAll(selector)).slice(0, most)
  const height = window.innerHeight
  const root = document.documentElement
  const shown = (element) => {
    const box = element.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) return false
    const style = getComputedStyle(element)
    return style.visibility !== "hidden" && style.display !== "none" && Number(style.opacity) > 0.05
  }
  const inView = (element) => {
    const box = element.getBoundingClientRect()
    return box.top < height && box.bottom > 0 && box.left < window.innerWidth && box.right > 0
  }
  const named = (element) => cut(element.innerText || element.getAttribute("aria-label") || element.value || element.title, 120)
  const meta = (name) => document.querySelector('meta[name="' + name + '" i]')
  const isButton = (element) => {
    if (element.tagName !== "A") return true
    const style = getComputedStyle(element)
    const filled = style.backgroundColor !== "rgba(0, 0, 0, 0)" && style.backgroundColor !== "transparent"
    const framed = parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderLeftWidth) > 0
    return element.getAttribute("role") === "button" || ((filled || framed) && parseFloat(style.paddingLeft) >= 6)
  }
  const actions = []
  for (const element of all('button, a[href], input[type="submit"], input[type="button"], [role="button"]', 3000)) {
    if (actions.length >= 60) break
    if (!isButton(element) || !shown(element)) continue
    const text = named(element)
    if (text !== "") actions.push({ text, target: cut(element.getAttribute("href"), 300), isInView: inView(element) })
  }
  const links = all("a[href]", 5000)
  const schemes = (scheme) => [...new Set(links.map((link) => link.getAttribute("href") || "")
    .filter((href) => href.toLowerCase().startsWith(scheme)).map((href) => cut(decodeURIComponentSafely(href.slice(scheme.length).split("?")[0]), scheme === "tel:" ? 40 : 254)))].slice(0, 10)
  function decodeURIComponentSafely(text) { try { return decodeURIComponent(text) } catch { return text } }
  const labelOf = (field) => cut((field.labels && field.labels[0] && field.labels[0].innerText) || field.getAttribute("aria-label") || field.placeholder || field.name, 160)
  const forms = all("form", 10).map((form) => ({
    fields: Array.from(form.elements).filter((field) => !["hidden", "submit", "button", "reset", "image", "fieldset"].includes(field.type) && field.tagName !== "FIELDSET")
      .slice(0, 40).map((field) => ({ label: labelOf(field), kind: cut(field.type || field.tagName.toLowerCase(), 20) })),
    submit: named(form.querySelector('button:not([type="button"]), input[type="submit"]') || form)
  }))
  const images = all("img, svg[role=img], picture > img", 2000)
  const texts = []
  let seen = 0
  for (const element of all("p, li, blockquote, dd, dt, figcaption, td, th, summary, label", 4000)) {
    if (texts.length >= 200 || seen > 40000) break
    const text = cut(element.innerText, 600)
    if (text.length < 2 || !shown(element)) continue
    seen += text.length
    texts.push(text)
  }
  if (texts.length === 0 && document.body) texts.push(...cut(document.body.innerText, 6000).match(/.{1,600}(?:\\s|$)/g) ?? [])
  const width = root.clientWidth
  const overflow = Math.max(0, Math.max(root.scrollWidth, document.body ? document.body.scrollWidth : 0) - width)
  const wide = []
  if (overflow > 0) {
    for (const element of all("body *", 4000)) {
      if (wide.length >= 8) break
      const box = element.getBoundingClientRect()
      if (box.width > 0 && box.right > width + 1 && shown(element)) wide.push(cut(element.tagName.toLowerCase() + " " + (element.innerText || ""), 160))
    }
  }
  const navigation = performance.getEntriesByType("navigation")[0]
  return {
    title: cut(document.title, 300),
    description: cut(meta("description") && meta("description").content, 600),
    language: cut(root.lang, 35),
    headings: all("h1, h2, h3, h4", 400).filter(shown).slice(0, 60)
      .map((heading) => ({ level: Number(heading.tagName.slice(1)), text: cut(heading.innerText, 300), isInView: inView(heading) })),
    texts, actions, links: links.length, emails: schemes("mailto:"), phones: schemes("tel:"), forms,
    images: images.length,
    imagesWithoutText: images.filter((image) => image.tagName === "IMG" && !image.hasAttribute("alt")).length,
    hasViewportMeta: meta("viewport") !== null,
    overflow, wide, height: Math.min(root.scrollHeight, 1000000),
    status: (navigation && navigation.responseStatus) || 0,
    textLength: Math.min((document.body ? document.body.innerText : "").length, 1000000)
  }
})()`

/** A script that waits until fonts and visible pictures have loaded, or their time is up. */
export const settlePage = `(async () => {
  const patience = (promise, time) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, time))])
  await patience(document.fonts.ready, 1500)
  const pictures = Array.from(document.images).slice(0, 200).filter((image) => !image.complete && image.getBoundingClientRect().top < innerHeight * 1.5)
  await patience(Promise.allSettled(pictures.map((image) => image.decode())), 1500)
  return true
})()`

const runAxe = `(async () => {
  const found = await axe.run(document, { resultTypes: ["violations"], iframes: false,
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } })
  return found.violations.slice(0, 40).map((rule) => ({
    rule: String(rule.id).slice(0, 80), impact: rule.impact || "minor", help: String(rule.help).slice(0, 200),
    count: rule.nodes.length, places: rule.nodes.slice(0, 5).map((node) => String(node.html).slice(0, 240))
  }))
})()`

let axe: Promise<string> | undefined

/** axe-core and its run, as one script. */
export const examinePage = async (): Promise<string> => {
  axe ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
  return `${await axe};${runAxe}`
}
