/** Maximum number of counts between two turns: visits of further pages and sources are dropped. */
const MOST_WAITING = 20_000
/** Names of sources in a day; made-up names become `other`. */
const MOST_SOURCES = 300

export interface Visit {
  path: string
  source: string
  views: number
  taps: number
  /** True if the page was served: another page may not exist. */
  isServed: boolean
}

/** Visits of a day in the site's time zone. */
export type DayOfVisits = Visit & { day: string }

/** Visits that are in memory only. */
export class VisitTally {
  readonly #waiting = new Map<string, DayOfVisits>()
  readonly #sources = new Set<string>()
  #day = ''

  add(visit: Visit, day: string): void {
    this.#put({ ...visit, source: this.#bounded(visit.source, day), day })
  }

  /** Removes some of them; later additions start from zero. */
  take(most: number): DayOfVisits[] {
    const taken = [...this.#waiting].slice(0, most)
    for (const [key] of taken) this.#waiting.delete(key)
    return taken.map(([, visits]) => visits)
  }

  putBack(visits: readonly DayOfVisits[]): void {
    for (const one of visits) this.#put(one)
  }

  #put(visits: DayOfVisits) {
    const key = `${visits.day} ${visits.path} ${visits.source} ${visits.isServed}`
    const known = this.#waiting.get(key)
    if (known) {
      known.views += visits.views
      known.taps += visits.taps
    } else if (this.#waiting.size < MOST_WAITING) this.#waiting.set(key, visits)
  }

  #bounded(source: string, day: string): string {
    if (this.#day !== day) this.#sources.clear()
    this.#day = day
    if (!this.#sources.has(source) && this.#sources.size >= MOST_SOURCES) return 'other'
    this.#sources.add(source)
    return source
  }
}
