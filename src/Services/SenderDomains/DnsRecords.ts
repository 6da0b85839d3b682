import { Schema } from "effect"

export const DnsRecordPurpose = Schema.Literal(
  "inbound",
  "return_path",
  "return_path_spf",
  "spf",
  "dkim_rsa",
  "dkim_ed25519",
  "dmarc"
)
export type DnsRecordPurpose = typeof DnsRecordPurpose.Type

/** A record that the owner of a domain has to publish, ready to copy. */
export const DnsRecord = Schema.Struct({
  purpose: DnsRecordPurpose,
  type: Schema.Literal("MX", "TXT"),
  name: Schema.String.annotations({ description: "The full name, without a final dot." }),
  value: Schema.String.annotations({ description: "As it is to be published; for MX with the preference first." })
})
export type DnsRecord = typeof DnsRecord.Type

/** The public keys for a domain's mail signatures. */
export interface DkimPublicKeys {
  readonly selector: string
  /** Base64 of the DER-encoded SubjectPublicKeyInfo. */
  readonly rsa: string
  /** Base64 of the 32 bytes of the key (RFC 8463). */
  readonly ed25519: string
}

export interface Platform {
  /** The domain of the platform's own mail addresses. */
  readonly mailDomain: string
  /** The host that receives mail for the platform. */
  readonly mailHost: string
}

/** The subdomain that receives bounces, so that the domain's own mailboxes are unaffected. */
const returnPathLabel = "bounces"

export const returnPathDomain = (domain: string): string => `${returnPathLabel}.${domain}`

export const rsaSelector = (selector: string): string => `${selector}-rsa`
export const ed25519Selector = (selector: string): string => `${selector}-ed`

/** The SPF mechanism that allows this platform to send mail for a domain. */
export const spfInclude = ({ mailDomain }: Platform): string => `include:${mailDomain}`

/** Additional records of a name in the platform's zone. They direct replies to the platform. */
export const subdomainRecordsOf = (
  domain: string,
  keys: DkimPublicKeys,
  platform: Platform
): ReadonlyArray<DnsRecord> => [
  ...recordsOf(domain, keys, platform),
  { purpose: "inbound", type: "MX", name: domain, value: `10 ${platform.mailHost}` }
]

/** All records of a domain, in the best order for publishing. */
export const recordsOf = (domain: string, keys: DkimPublicKeys, platform: Platform): ReadonlyArray<DnsRecord> => [
  {
    purpose: "dkim_rsa",
    type: "TXT",
    name: `${rsaSelector(keys.selector)}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${keys.rsa}`
  },
  {
    purpose: "dkim_ed25519",
    type: "TXT",
    name: `${ed25519Selector(keys.selector)}._domainkey.${domain}`,
    value: `v=DKIM1; k=ed25519; p=${keys.ed25519}`
  },
  { purpose: "return_path", type: "MX", name: returnPathDomain(domain), value: `10 ${platform.mailHost}` },
  {
    purpose: "return_path_spf",
    type: "TXT",
    name: returnPathDomain(domain),
    value: `v=spf1 ${spfInclude(platform)} -all`
  },
  { purpose: "spf", type: "TXT", name: domain, value: `v=spf1 ${spfInclude(platform)} ~all` },
  { purpose: "dmarc", type: "TXT", name: `_dmarc.${domain}`, value: "v=DMARC1; p=none" }
]
