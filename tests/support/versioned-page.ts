import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { compareVersion, findVersionOf, loadVersions } from '#src/admin/versions/load-versions.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import type { ShownSaves } from '#src/publish/states/shown-saves.ts'
import { keepDraft, keepVersion } from '#src/versions/keep-version.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { anAdminPage } from './admin-page.ts'

export type Content = Record<string, string>

const SUBJECT = { kind: 'entry', id: 7 } as const
/** The minute of a save: the first one is at 0. */
export const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`

/** Something with a title and a text, whose versions the screens show, and what a page about it gets. */
export async function aVersionedPage(t: TestContext, more: Partial<Versioned> = {}) {
  const { db, message, open: openAt } = await anAdminPage(t)
  let minute = 0
  let now: Content = {}
  let shown: ShownSaves = 'all'
  let outcome: Awaited<ReturnType<Versioned['restore']>> = { kind: 'saved', value: { to: '/admin/x' } }
  const restored: (string[] | undefined)[] = []
  const by = { source: 'admin', email: 'ann@example.com' } as const
  const keysOf = (before: unknown, after: unknown) => {
    const [one, other] = [(before ?? {}) as Content, after as Content]
    return Object.keys({ ...one, ...other })
      .filter((key) => one[key] !== other[key])
      .sort()
  }
  const versioned = (): Versioned => ({
    ...{ subject: SUBJECT, name: 'About', self: '/admin/x', trail: [], now },
    findShown: async () => shown,
    listLabels: keysOf,
    listKeys: keysOf,
    describe: async (before, after) =>
      keysOf(before, after).map((key) => ({
        ...{ key, label: key, before: ((before ?? {}) as Content)[key] ?? '' },
        after: (after as Content)[key] ?? '',
      })),
    async restore(_, keys) {
      restored.push(keys && [...keys])
      return outcome
    },
    record: { action: 'entry.restored', id: 7, summary: 'Restored' },
    ...more,
  })
  const open = (query = '', { version = 0, body }: { version?: number; body?: [string, string][] } = {}) =>
    openAt(`/admin/x/versions/${version}${query}`, {
      params: { version: String(version) },
      ...(body && { post: body }),
    })
  async function save(content: Content) {
    await keepVersion(db, SUBJECT, { before: undefined, after: content }, { now: at(minute++), by })
    now = content
    return newest()
  }
  async function draft(content: Content) {
    await keepDraft(db, SUBJECT, { before: undefined, after: content }, { now: at(minute++), by })
    return newest()
  }
  const newest = async () => (await listVersions(db, SUBJECT, { limit: 1 }))[0]?.id ?? 0
  const list = async (query = '') => {
    const { listed, older } = await loadVersions(open(query), versioned())
    const rows = listed.map(({ version, mark, isCurrent, changed }) => [
      version.id,
      mark?.kind ?? '',
      isCurrent,
      changed?.join() ?? 'first',
    ])
    return { rows, older }
  }
  const compare = async (version: number, view?: string) => {
    const context = open(view ? `?with=${view}` : '', { version })
    const stored = await findVersionOf(context, versioned())
    assert.ok(stored)
    return compareVersion(context, versioned(), stored)
  }
  const set = (given: { now?: Content; shown?: ShownSaves; outcome?: typeof outcome }) => {
    now = given.now ?? now
    shown = given.shown ?? shown
    outcome = given.outcome ?? outcome
  }
  return { db, open, versioned, save, draft, list, compare, set, restored, message }
}
