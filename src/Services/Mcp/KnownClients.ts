/** What is known of hosts of agents from their makers' documents. */
interface KnownClient {
  /** Hosts whose metadata documents are trusted to vouch for a program. */
  readonly hosts: ReadonlyArray<string>
  /** Redirects by schemes that have no dot. */
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
    // The second one is of earlier versions.
    redirects: ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-retrieval/oauth/callback"],
    source: "https://cursor.com/docs/mcp"
  }
]

const hosts = new Set(knownClients.flatMap((client) => client.hosts))
const redirects = new Set(knownClients.flatMap((client) => client.redirects))

/** Whether a browser may be sent to a program without a click, since this host vouches for it. */
export const isKnownHost = (host: string | undefined): boolean => host !== undefined && hosts.has(host)

/** Whether a redirect whose scheme has no dot is a known program's. */
export const isKnownRedirect = (uri: string): boolean => redirects.has(uri)
