/** A claim with the end of its lease, which every renewal changes. */
export interface LeasedClaim {
  id: number
  leaseExpiresAt: string
}

/** Tells claims that somebody renews from those of a process that died. */
export interface LeaseWatch {
  /** Those of all present claims that did not change for the time of a lease; `now` by a clock that nobody sets. */
  findDead(claims: readonly LeasedClaim[], now: number): LeasedClaim[]
}

/** A watch that has seen nothing yet. It compares no clocks: those of two machines differ, and each may be set. */
export function createLeaseWatch(leaseMs: number): LeaseWatch {
  let seen = new Map<number, { leaseExpiresAt: string; since: number }>()
  return {
    findDead(claims, now) {
      const before = seen
      seen = new Map(
        claims.map(({ id, leaseExpiresAt }) => {
          const known = before.get(id)
          return [id, known?.leaseExpiresAt === leaseExpiresAt ? known : { leaseExpiresAt, since: now }]
        }),
      )
      return claims.filter(({ id }) => now - (seen.get(id)?.since ?? now) >= leaseMs)
    },
  }
}
