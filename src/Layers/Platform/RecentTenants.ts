export interface RecentTenants<P> {
  readonly came: (party: P) => void
  /** Whether nobody else is there. */
  readonly isAlone: (party: P) => boolean
  /** Whether more than one is there. */
  readonly isShared: () => boolean
}

/** Who is there: whoever came within the last `absence` milliseconds. */
export const makeRecentTenants = <P>(now: () => number, absence: number): RecentTenants<P> => {
  const cameAt = new Map<P, number>()
  let prunedAt = now()
  const present = (): ReadonlyMap<P, number> => {
    const time = now()
    if (time >= prunedAt + absence / 5) {
      prunedAt = time
      for (const [party, at] of cameAt) if (time >= at + absence) cameAt.delete(party)
    }
    return cameAt
  }
  return {
    came: (party) => {
      cameAt.set(party, now())
      present()
    },
    isAlone: (party) => present().size === (cameAt.has(party) ? 1 : 0),
    isShared: () => present().size > 1
  }
}
