import type { Site } from "../../../Services/Websites/Site.ts"
import type { SiteAnswer } from "./SiteRoute.ts"

/** The robots.txt of a site. A restricted site excludes all robots. */
export const robotsTxt = (origin: string, isRestricted: boolean): SiteAnswer => ({
  status: 200,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" },
  body: isRestricted
    ? "User-agent: *\nDisallow: /\n"
    : `User-agent: *\nDisallow: /_/form/\nDisallow: /_/session\nDisallow: /_/report\nDisallow: /_/confirm\n\nSitemap: ${origin}/sitemap.xml\n`
})

/** The pages, for search engines, with the day that the site was last changed. */
export const sitemapXml = (
  origin: string,
  { pages }: Pick<Site, "pages">,
  writtenOn: string | undefined
): SiteAnswer => ({
  status: 200,
  headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "no-cache" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages
    .map(
      ({ path }) =>
        `<url><loc>${origin}/${path}</loc>${writtenOn === undefined ? "" : `<lastmod>${writtenOn}</lastmod>`}</url>\n`
    )
    .join("")}</urlset>\n`
})
