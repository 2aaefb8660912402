import type { AstroGlobal } from 'astro'
import type { NamedEntry } from '../../entries/entry-lookup-store.ts'
import { changeTexts } from '../../entries/history/change-texts.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { entryChanges, typeName } from '../../messages/admin/entries.ts'
import { type AdminProblem, describeProblem } from '../../messages/admin/problems.ts'
import { replacementTexts as texts } from '../../messages/admin/settings/replacement.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { findOldNumberTexts, type OldNumberTexts } from '../../publish/notices/old-number-texts.ts'
import {
  changeSiteSettings,
  differingKeys,
  settingsVersion,
} from '../../site/settings/change-site-settings.ts'
import { findEditedSettings } from '../../site/settings/settings-draft.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { recordChange } from '../audit/record-change.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf, finish, notFound } from '../kit/page-context.ts'
import { nameChanges } from './settings-form.ts'
import { SETTINGS_SCREEN } from './settings-screen.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/** The data of the page that replaces a former phone number. */
interface ShownReplacement {
  former: string
  found: OldNumberTexts
  /** Sentences about the texts that couldn't be changed. */
  refused: string[]
}

/**
 * Returns the texts with the former phone number in the URL, and replaces the number in all of them if that was
 * requested. Then returns the redirect, or what was refused, with status 422.
 */
export async function answerReplacement(astro: Context): Promise<ShownReplacement | Response> {
  const former = astro.url.searchParams.get('number') ?? ''
  const found = await findTexts(astro, former)
  if (!found) return notFound(astro)
  if (astro.request.method !== 'POST') return { former, found, refused: [] }
  const refused = [...(await replaceInSettings(astro, found)), ...(await replaceInEntries(astro, found))]
  const left = (await findTexts(astro, former)) ?? found
  if (refused.length === 0) {
    const isAll = left.entries.length === 0
    const to = isAll ? `${SETTINGS_SCREEN.href}#old-uses` : astro.url.pathname + astro.url.search
    return finish(astro, false, {
      to,
      text: isAll ? texts.replaced : texts.replacedSome(found.entries.length),
    })
  }
  astro.response.status = 422
  return { former, found: left, refused }
}

async function findTexts(astro: Context, former: string): Promise<OldNumberTexts | undefined> {
  const { db } = appOf(astro)
  return findOldNumberTexts(db, await findSiteSettings(db), former)
}

async function replaceInSettings(astro: Context, { settings: changes }: OldNumberTexts): Promise<string[]> {
  if (Object.keys(changes).length === 0) return []
  const { db } = appOf(astro)
  const { saved: before, settings: edited } = await findEditedSettings(db)
  const drafted = differingKeys(before, edited)
  if (drafted.some((key) => key in changes)) return [texts.reason(settingsPage.title, texts.settingsDraft)]
  const basedOn = settingsVersion(before)
  const outcome = await changeSiteSettings(db, { changes, basedOn }, savingBy(astro))
  if (outcome.kind !== 'saved') return [texts.reason(settingsPage.title, reasonOf(outcome))]
  const summary = settingsPage.activity(nameChanges(changes, before).join(', '))
  await recordChange(astro, { action: 'settings.changed', id: 'site', summary })
  return []
}

async function replaceInEntries(astro: Context, { entries, replace }: OldNumberTexts): Promise<string[]> {
  const refused: string[] = []
  for (const entry of entries) {
    const reason = await replaceInEntry(astro, entry, replace)
    if (reason !== undefined) refused.push(texts.reason(entry.name, reason))
  }
  return refused
}

// Returns the reason why the entry wasn't changed.
async function replaceInEntry(
  astro: Context,
  { id, type: slug, name }: NamedEntry,
  change: OldNumberTexts['replace'],
): Promise<string | undefined> {
  const { db } = appOf(astro)
  const type = await findContentType(db, slug)
  if (!type) return texts.outdated
  const outcome = await changeTexts(db, { type, id, change }, savingBy(astro))
  if (outcome.kind !== 'saved') return reasonOf(outcome)
  const summary = entryChanges.changed(name, typeName(type))
  await recordChange(astro, { action: 'entry.changed', id, summary })
  return undefined
}

function reasonOf(outcome: Outcome<unknown, AdminProblem, 'has_draft'>): string {
  if (outcome.kind === 'invalid') return outcome.problems.map(describeProblem).join(' ')
  return outcome.kind === 'refused' ? texts.hasDraft : texts.outdated
}
