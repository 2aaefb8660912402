import type { AstroGlobal } from 'astro'
import { versionChanges } from '../../messages/admin/history/versions.ts'
import { settingName } from '../../messages/admin/settings/setting-names.ts'
import { findShownSettings } from '../../publish/states/changed-settings.ts'
import { compareSettings } from '../../site/settings/compare-settings.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import { restoreSettings } from '../../site/settings/restore-settings.ts'
import {
  type EditedSettings,
  findEditedSettings,
  saveEditedSettings,
} from '../../site/settings/settings-draft.ts'
import { SHOWN_SETTINGS } from '../../site/settings/site-settings.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf } from '../kit/page-context.ts'
import type { Versioned } from '../versions/versioned.ts'
import { readableSetting } from './readable-setting.ts'
import { mayChangeTags } from './receive-settings.ts'
import { HOME_SCREEN, SETTINGS_SCREEN, type SettingsScreen, settingsOf } from './settings-screen.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'url'>

const SETTINGS = new Map(SHOWN_SETTINGS.map((setting) => [setting.name, setting]))

/** Finds the site's settings with all of their versions. */
export async function findVersionedSettings(context: Context): Promise<Versioned> {
  return findVersionsOf(context, SETTINGS_SCREEN)
}

/** Finds the settings of the home page with the versions that changed them. */
export async function findVersionedHome(context: Context): Promise<Versioned> {
  const own = new Map(settingsOf(HOME_SCREEN).map(({ name }) => [name, nameOnHome(name)]))
  return { ...(await findVersionsOf(context, HOME_SCREEN, own)), isPart: true }
}

// The screen's title already says that they are of the home page.
function nameOnHome(path: string): string {
  return (path.startsWith('home.') && SETTINGS.get(path)?.texts.label) || labelOf(path)
}

// Of all settings, or only of its `own`: their labels by path.
async function findVersionsOf(
  context: Context,
  { href: self, texts: { title } }: SettingsScreen,
  own?: ReadonlyMap<string, string>,
): Promise<Versioned> {
  const { db, config } = appOf(context)
  const nameOf = (path: string) => own?.get(path) ?? labelOf(path)
  const compare = (before: unknown, after: unknown) =>
    compareSettings(before, after).filter(({ path }) => own?.has(path) ?? true)
  return {
    ...{ subject: SETTINGS_SUBJECT, name: title, self, now: await findSiteSettings(db), hasPage: true },
    findShown: () => findShownSettings({ db, dataDir: config.dataDir }),
    trail: [{ href: self, label: title }],
    listLabels: (before, after) => [...new Set(compare(before, after).map(({ path }) => nameOf(path)))],
    listKeys: (before, after) => compare(before, after).map(({ path }) => path),
    describe: (before, after) =>
      Promise.all(
        compare(before, after).map(async ({ path, ...values }) => {
          const textOf = (value: unknown) => readableSetting(db, { path, setting: SETTINGS.get(path) }, value)
          return {
            key: path,
            label: nameOf(path),
            before: before === undefined ? '' : await textOf(values.before),
            after: await textOf(values.after),
          }
        }),
      ),
    // A draft changes only its own values.
    contentToRestore: async ({ version: { state }, content }) =>
      state === 'draft' ? (await findEditedSettings(db)).settings : content,
    async restore({ id: versionId, state }, selected) {
      const may = { mayChangeTags: mayChangeTags(context) }
      const paths = selected ?? (own && new Set(own.keys()))
      const outcome =
        state === 'draft' && !paths
          ? await saveEditedSettings(db, { changes: {}, ...may }, savingBy(context))
          : await restoreSettings(db, { versionId, paths, ...may }, savingBy(context, 'restored'))
      return outcome.kind === 'saved' ? { kind: 'saved', value: { to: self } } : outcome
    },
    record: { action: 'settings.restored', id: 'site', summary: versionChanges.settingsRestored },
  }
}

/** Lists the labels of a screen's settings that a draft changes. */
export function listChanged(
  screen: SettingsScreen,
  { saved, settings }: Pick<EditedSettings, 'saved' | 'settings'>,
): string[] {
  const own = new Set(settingsOf(screen).map(({ name }) => name))
  const changed = compareSettings(saved, settings).filter(({ path }) => own.has(path))
  const nameOf = screen === HOME_SCREEN ? nameOnHome : labelOf
  return [...new Set(changed.map(({ path }) => nameOf(path)))]
}

/** Returns the label of a setting for people, by its path in `content/site.yaml`. */
export function labelOf(path: string): string {
  return settingName(path, SETTINGS.get(path)?.texts.label)
}
