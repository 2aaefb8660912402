// A process that was suspended, perhaps with the whole machine, must not take all others for dead.
const LONGEST_STEP_MS = 1_500

/** A claim with the end of its lease, which every renewal changes. */
export interface LeasedClaim {
  id: number
  leaseExpiresAt: string
}

/** Distinguishes renewed claims from those of a dead process. */
export type LeaseWatch = ReturnType<typeof createLeaseWatch>

/** A watch that has seen nothing yet. It compares no clocks: two machines differ, and each clock may be set. */
export function createLeaseWatch(leaseMs: number) {
  let seen = new Map<number, { leaseExpiresAt: string; forMs: number }>()
  let lookedAt = 0
  return {
    /** The claims that have not changed for the length of a lease; `now` by a monotonic clock. */
    findDead(claims: readonly LeasedClaim[], now: number): LeasedClaim[] {
      const before = seen
      const stepMs = Math.min(now - lookedAt, LONGEST_STEP_MS)
      lookedAt = now
      seen = new Map(
        claims.map(({ id, leaseExpiresAt }) => {
          const known = before.get(id)
          const isSame = known?.leaseExpiresAt === leaseExpiresAt
          return [id, { leaseExpiresAt, forMs: isSame ? known.forMs + stepMs : 0 }]
        }),
      )
      return claims.filter(({ id }) => (seen.get(id)?.forMs ?? 0) >= leaseMs)
    },
  }
}
