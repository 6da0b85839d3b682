import { createHash } from "node:crypto"

/** A finished write as the chain has it. */
export interface ChainedEntry {
  /** 1 for the account's first entry. */
  readonly position: number
  /** Unix milliseconds. */
  readonly at: number
  readonly tokenId: number | null
  readonly requestId: string
  readonly tool: string
  readonly argumentNames: ReadonlyArray<string>
  readonly outcome: string
  readonly reason: string | null
  readonly milliseconds: number
  /** The digest of the changed settings. Null if the call changed none. It stays when the changes are erased. */
  readonly changesDigest: Buffer | null
}

/** Where a chain ends, or continues. */
export interface ChainEnd {
  readonly position: number
  readonly link: Buffer
}

/** The end of a chain without entries. */
export const emptyChain: ChainEnd = { position: 0, link: Buffer.alloc(32) }

const sha256 = (...parts: ReadonlyArray<string | Buffer>): Buffer => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The salt keeps anyone from guessing erased changes by their digest. */
export const changesDigestOf = (salt: Buffer, changes: string): Buffer => sha256(salt, changes)

/** An entry's link: the digest of the link before and of the entry. Any change to either changes all later links. */
export const linkOf = (previous: Buffer, entry: ChainedEntry): Buffer =>
  sha256(
    previous,
    JSON.stringify([
      entry.position,
      entry.at,
      entry.tokenId,
      entry.requestId,
      entry.tool,
      entry.argumentNames,
      entry.outcome,
      entry.reason,
      entry.milliseconds,
      entry.changesDigest?.toString("hex") ?? null
    ])
  )

/** An entry as it is stored. */
export interface StoredEntry extends ChainedEntry {
  readonly link: Buffer
  readonly salt: Buffer | null
  /** JSON. Null if there are none, or they were erased. */
  readonly changes: string | null
}

export type ChainFault =
  /** Entries are missing before this one. */
  | "entry_missing"
  /** The entry was changed, or one before it. */
  | "entry_changed"
  /** The changes of settings are other ones than those that were stored. */
  | "changes_changed"

/** The fault of an entry that follows `end`, if any. */
export const faultOf = (end: ChainEnd, entry: StoredEntry): ChainFault | undefined => {
  if (entry.position !== end.position + 1) return "entry_missing"
  if (!linkOf(end.link, entry).equals(entry.link)) return "entry_changed"
  if (entry.changes === null) return undefined
  const isSame = entry.salt !== null && entry.changesDigest?.equals(changesDigestOf(entry.salt, entry.changes)) === true
  return isSame ? undefined : "changes_changed"
}

/** The text that is signed for the end of an account's chain, or for what was dropped of it. */
export const signedText = (kind: "head" | "checkpoint", accountId: number, { link, position }: ChainEnd): string =>
  `audit ${kind} ${accountId} ${position} ${link.toString("hex")}`
