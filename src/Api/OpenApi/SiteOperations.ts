import { jsonResponse, type Node, textResponse } from "./ErrorResponses.ts"
import { inPath, inQuery, later, open, page, refusal, text } from "./OperationShapes.ts"

export const sites: Node = {
  "/sites/tls-check": {
    get: open({
      id: "check_site_certificate",
      summary: "Ask whether a host is a site's",
      description:
        "What a proxy in front of the sites asks before it gets a certificate for a host (Caddy's on-demand TLS): 200 where a site is served there, 404 for every other host.",
      parameters: [inQuery("domain", "The host.", text, true)],
      answers: {
        200: textResponse("A site is served there.", "text/plain"),
        404: textResponse("There is no site.", "text/plain"),
        ...later
      }
    })
  }
}

const editorKey = inPath("key", "The last part of the site's editor link.")
const editorAnswers: Node = {
  200: page("The page."),
  404: page("The link is not valid, or the site was archived."),
  503: page("Not possible for the moment.")
}

/** The page on which an owner edits a site. */
export const siteEditor: Node = {
  "/site-editor/{key}": {
    parameters: [editorKey],
    get: open({
      id: "site_editor",
      summary: "Open a site's editor",
      description:
        "Its texts, pictures and versions, and what visitors sent. Whoever has the link may change the site.",
      parameters: [inQuery("page", "Which page of the site; the first unless told.", text)],
      answers: editorAnswers
    }),
    post: open({
      id: "edit_site",
      summary: "Save what was edited",
      description: "What the page's buttons do. Each form brings back a token of the page that it was on.",
      answers: {
        ...editorAnswers,
        403: page("The form came from another site's page; nothing was done."),
        413: jsonResponse("The form is larger than one of a page can be.", refusal),
        422: page("The page, with why it was not saved and what was typed.")
      }
    })
  },
  "/site-editor/{key}/preview": {
    parameters: [editorKey],
    get: open({
      id: "site_preview",
      summary: "See a page as it is published",
      description: "For the editor's frame: it runs nothing.",
      parameters: [inQuery("page", "Which page of the site; the first unless told.", text)],
      answers: { ...editorAnswers, 404: page("The link is not valid, or nothing is published.") }
    })
  },
  "/site-editor/{key}/picture/{digest}": {
    parameters: [editorKey, inPath("digest", "The picture's, as the editor names it.")],
    get: open({
      id: "site_editor_picture",
      summary: "See a picture of the site",
      description: "For the editor and its frame.",
      answers: {
        200: textResponse("The picture.", "image/webp"),
        404: jsonResponse("There is no such picture.", refusal)
      }
    })
  },
  "/site-editor/{key}/records": {
    parameters: [editorKey],
    get: open({
      id: "site_records",
      summary: "Download what visitors sent",
      description: "The records of one collection as CSV, oldest first.",
      parameters: [inQuery("collection", "Which collection, as the editor names it.", text)],
      answers: {
        200: textResponse("The records.", "text/csv"),
        404: page("The link is not valid."),
        503: page("Not possible for the moment.")
      }
    })
  }
}
