import type { Site, SiteBlock, SitePage } from "../../../Services/Websites/Site.ts"

const find = <Tag extends SiteBlock["_tag"]>(
  site: Site,
  tag: Tag
): Extract<SiteBlock, { readonly _tag: Tag }> | undefined => {
  const is = (block: SiteBlock): block is Extract<SiteBlock, { readonly _tag: Tag }> => block._tag === tag
  return site.pages.flatMap(({ blocks }) => blocks).find(is)
}

/**
 * Returns the structured data for search engines (schema.org), as the content of a script element: the organisation
 * with the contacts that the site shows, the site, and the questions of the page.
 */
export const structuredData = (site: Site, page: SitePage, origin: string): string => {
  const contact = find(site, "Contact")
  const links = (contact?.links ?? []).flatMap(({ target }) => (target._tag === "Web" ? [target.url] : []))
  const questions = page.blocks.flatMap((block) => (block._tag === "Questions" ? block.items : []))
  const graph = [
    {
      "@type": "Organization",
      "@id": `${origin}/#organization`,
      name: site.name,
      url: `${origin}/`,
      ...(site.tagline === "" ? {} : { description: site.tagline }),
      ...(contact?.email ? { email: contact.email } : {}),
      ...(contact?.phone ? { telephone: contact.phone } : {}),
      ...(contact?.address ? { address: contact.address } : {}),
      ...(links.length === 0 ? {} : { sameAs: links })
    },
    {
      "@type": "WebSite",
      "@id": `${origin}/#website`,
      url: `${origin}/`,
      name: site.name,
      inLanguage: site.language,
      publisher: { "@id": `${origin}/#organization` }
    },
    {
      "@type": "WebPage",
      url: `${origin}/${page.path}`,
      name: page.title,
      ...(page.description === "" ? {} : { description: page.description }),
      inLanguage: site.language,
      isPartOf: { "@id": `${origin}/#website` }
    },
    ...(questions.length === 0
      ? []
      : [
          {
            "@type": "FAQPage",
            mainEntity: questions.map(({ answer, question }) => ({
              "@type": "Question",
              name: question,
              acceptedAnswer: { "@type": "Answer", text: answer }
            }))
          }
        ])
  ]
  // These characters are escaped, so that no text can end the script element or open a comment.
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
}
