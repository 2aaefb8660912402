import type { Outcome } from '#src/lib/outcome.ts'
import type { AdminProblem } from '#src/messages/admin/problems.ts'
import type { ShownSaves } from '#src/publish/states/shown-saves.ts'
import type { Subject, Version } from '#src/versions/version.ts'
import type { StoredVersion } from '#src/versions/version-store.ts'
import type { Change } from '../audit/record-change.ts'

/** A value that differs between two versions, as people read it. */
export interface DescribedChange {
  /** Names the value for a restore of some values; undefined if only whole versions can be restored. */
  key?: string
  label: string
  before: string
  after: string
  /** True for a text in Markdown. */
  isMarkdown?: boolean
}

/** Something with versions, for the version screens. */
export interface Versioned {
  subject: Subject
  name: string
  /** URL of its editor. */
  self: string
  /** The breadcrumb to its editor, with the editor last. */
  trail: { href: string; label: string }[]
  /** Its current content. */
  now: unknown
  /** True for a part of the subject, such as the home page: only the versions that changed it are listed. */
  isPart?: boolean
  /** True if a restore ends the subject's draft. */
  replacesDraft?: boolean
  /** True if a version can be shown as a page. */
  hasPage?: boolean
  /** Finds the saves that visitors see. */
  findShown(): Promise<ShownSaves>
  /** Finds when its draft goes live by itself (UTC text); undefined if a person must add it to a publish. */
  findSchedule?(): Promise<string | undefined>
  /** Lists the labels of what differs between two contents. */
  listLabels(before: unknown, after: unknown): string[]
  /** Lists the keys of what differs, if a comparison has a button that restores each value by itself. */
  listKeys?(before: unknown, after: unknown): string[]
  /** Describes the differences; without an earlier content, everything that isn't empty. */
  describe(before: unknown, after: unknown): Promise<DescribedChange[]>
  /** Answers a restore that the user isn't allowed. */
  refuseRestore?(): Promise<Response | undefined>
  /** Returns the content after a restore, where it isn't the version's. */
  contentToRestore?(stored: StoredVersion): Promise<unknown>
  /** Saves a version again, or only the values with these keys. `to` is the editor's URL afterwards. */
  restore(
    version: Version,
    keys: ReadonlySet<string> | undefined,
  ): Promise<Outcome<{ to: string }, AdminProblem, string>>
  /** The record of a restored version. */
  record: Change
}
