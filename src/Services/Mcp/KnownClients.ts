/** Facts about agent hosts, from their makers' documentation. */
interface KnownClient {
  /** Hosts whose metadata documents identify a program reliably. */
  readonly hosts: ReadonlyArray<string>
  /** Redirect addresses with schemes that contain no dot. */
  readonly redirects: ReadonlyArray<string>
  readonly source: string
}

const knownClients: ReadonlyArray<KnownClient> = [
  {
    hosts: ["claude.ai", "claude.com"],
    redirects: [],
    source: "https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers"
  },
  { hosts: ["vscode.dev"], redirects: [], source: "https://github.com/microsoft/vscode/issues/278512" },
  {
    hosts: ["cursor.com", "www.cursor.com"],
    // Earlier versions use the second one.
    redirects: ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-retrieval/oauth/callback"],
    source: "https://cursor.com/docs/mcp"
  }
]

const hosts = new Set(knownClients.flatMap((client) => client.hosts))
const redirects = new Set(knownClients.flatMap((client) => client.redirects))

/** Whether a browser may be redirected to a program without a click, because this host identifies it. */
export const isKnownHost = (host: string | undefined): boolean => host !== undefined && hosts.has(host)

/** Whether a redirect address whose scheme contains no dot belongs to a known program. */
export const isKnownRedirect = (uri: string): boolean => redirects.has(uri)
