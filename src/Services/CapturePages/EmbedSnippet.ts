import { escapeHtml } from "../Text/HtmlText.ts"

/** Of the frame where no script sets it: a form of six fields fits. */
const firstHeight = 860
const mostHeight = 6000

export const embedUrl = (url: string): string => `${new URL(url).origin}/embed`

/** What stands in a page of another site to show the form there. The script only sets the height: it works without. */
export const embedSnippet = (page: { readonly url: string; readonly title: string }): string => {
  const { origin } = new URL(page.url)
  const frame = `<iframe src="${escapeHtml(embedUrl(page.url))}" title="${escapeHtml(page.title)}" width="100%" height="${firstHeight}" style="border:0" loading="lazy"></iframe>`
  const script = `addEventListener("message",function(e){var h=e.data&&e.data.siteHeight;if(e.origin==="${origin}"&&h>0)document.querySelectorAll("iframe").forEach(function(f){if(f.contentWindow===e.source)f.height=Math.min(h,${mostHeight})})})`
  return `${frame}<script>${script}</script>`
}
