/** The keys of a gateway's settings. */
export interface SealingKeys {
  readonly current: string | undefined
  readonly previous: string | undefined
}

/**
 * Whether a gateway with the settings `present` can decrypt data that was encrypted with the keys `backedUp`. Without a
 * setting, the gateway reads the key file that the restore writes.
 */
export const canOpen = (present: SealingKeys, backedUp: string | undefined): boolean =>
  backedUp === undefined ||
  present.current === undefined ||
  present.current === backedUp ||
  present.previous === backedUp
