/** The keys of a gateway's settings. */
export interface SealingKeys {
  readonly current: string | undefined
  readonly previous: string | undefined
}

/**
 * Whether a gateway with the settings `present` can open what was sealed with `backedUp`. Without a setting, it reads
 * the file that the restore writes.
 */
export const canOpen = (present: SealingKeys, backedUp: string | undefined): boolean =>
  backedUp === undefined ||
  present.current === undefined ||
  present.current === backedUp ||
  present.previous === backedUp
