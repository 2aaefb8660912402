import type { Db } from '#src/db/schema.ts'
import { labelOfSection } from '#src/entries/types/page-sections.ts'
import { isTurnedOff } from '#src/entries/types/read-order.ts'
import { versionValues } from '#src/messages/admin/history/versions.ts'
import { stageTexts } from '#src/messages/admin/settings/stages.ts'
import type { ShownSetting } from '#src/site/settings/setting-field.ts'
import { DEFAULT_STAGES, type Stage } from '#src/submissions/stages/stage-settings.ts'
import { readableValue } from '../versions/readable-value.ts'
import { choicesOf } from './choices.ts'

/**
 * Formats a setting's value as its screen does: choices and sections by their labels, and rows with the labels of
 * their parts. A missing value is shown as the default.
 */
export async function readableSetting(
  db: Db,
  { path, setting }: { path: string; setting: ShownSetting | undefined },
  value: unknown,
): Promise<string> {
  if (path === 'stages') return numbered((value ?? DEFAULT_STAGES) as readonly Stage[], stageText)
  if (!setting) return readableValue(value)
  const { columns, ordered, usual } = setting
  if (ordered) return sectionTexts((value ?? usual ?? []) as readonly string[])
  if (columns) return numbered((value ?? []) as readonly Row[], (row) => rowText(columns, row))
  const stored = String(value ?? '')
  const choices = await choicesOf(setting, stored, db)
  return choices?.find((choice) => choice.value === stored)?.label ?? readableValue(value)
}

type Row = Readonly<Record<string, unknown>>

function numbered<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  return items.map((item, index) => versionValues.item(index + 1, textOf(item))).join('\n')
}

function stageText({ name, counts_as }: Stage): string {
  const { labels, counts } = stageTexts
  return counts_as ? `${name}\n${versionValues.part(labels.counts, counts[counts_as])}` : name
}

function sectionTexts(names: readonly string[]): string {
  return names
    .filter((name) => !isTurnedOff(name))
    .map(labelOfSection)
    .join('\n')
}

function rowText(columns: readonly ShownSetting[], row: Row): string {
  return columns
    .filter(({ name }) => readableValue(row[name]) !== '')
    .map(({ name, texts }) => versionValues.part(texts.label, readableValue(row[name])))
    .join('\n')
}
