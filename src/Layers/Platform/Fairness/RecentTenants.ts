/** Remembers which tenants called within the last `absenceMillis`. */
export const makeRecentTenants = <Tenant>(now: () => number, absenceMillis: number) => {
  const lastCallAt = new Map<Tenant, number>()
  let prunedAt = now()
  const prune = (): void => {
    const time = now()
    if (time < prunedAt + absenceMillis / 5) return
    prunedAt = time
    for (const [tenant, calledAt] of lastCallAt) if (time >= calledAt + absenceMillis) lastCallAt.delete(tenant)
  }
  return {
    record: (tenant: Tenant): void => {
      lastCallAt.set(tenant, now())
      prune()
    },
    /** True if no other tenant called recently. */
    isAlone: (tenant: Tenant): boolean => {
      prune()
      return lastCallAt.size === (lastCallAt.has(tenant) ? 1 : 0)
    }
  }
}
