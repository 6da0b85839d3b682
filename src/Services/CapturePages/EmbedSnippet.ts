import { html, Markup } from "../Text/Web/Html.ts"

/** Pixels. Used if no script adjusts the height. A form with six fields fits. */
const initialHeight = 860
const maximumHeight = 6000

export const embedUrl = (url: string): string => `${new URL(url).origin}/embed`

/** The HTML by which another site embeds the form. The script only adjusts the height. */
export const embedSnippet = (page: { readonly url: string; readonly title: string }): string => {
  const { origin } = new URL(page.url)
  const frame = html`<iframe src="${embedUrl(page.url)}" title="${page.title}" width="100%" height="${initialHeight}" style="border:0" loading="lazy"></iframe>`
  const script = new Markup(
    `addEventListener("message",function(e){var h=e.data&&e.data.siteHeight;if(e.origin==="${origin}"&&h>0)document.querySelectorAll("iframe").forEach(function(f){if(f.contentWindow===e.source)f.height=Math.min(h,${maximumHeight})})})`
  )
  return html`${frame}<script>${script}</script>`.markup
}
