import type { AstroGlobal } from 'astro'
import { versionChanges } from '../../messages/admin/history/versions.ts'
import { settingName } from '../../messages/admin/settings/setting-names.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { findShownSettings } from '../../publish/states/shown-settings.ts'
import { compareSettings } from '../../site/settings/compare-settings.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import { restoreSettings } from '../../site/settings/restore-settings.ts'
import { findEditedSettings, saveEditedSettings } from '../../site/settings/settings-draft.ts'
import { SHOWN_SETTINGS } from '../../site/settings/site-settings.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf } from '../kit/page-context.ts'
import type { Versioned } from '../versions/versioned.ts'
import { readableSetting } from './readable-setting.ts'
import { mayChangeTags } from './receive-settings.ts'

const self = '/admin/settings'
const SETTINGS = new Map(SHOWN_SETTINGS.map((setting) => [setting.name, setting]))

/** Finds the site's settings with their versions. */
export async function findVersionedSettings(
  context: Pick<AstroGlobal, 'params' | 'locals' | 'url'>,
): Promise<Versioned> {
  const { db, config } = appOf(context)
  return {
    ...{
      subject: SETTINGS_SUBJECT,
      name: settingsPage.title,
      self,
      now: await findSiteSettings(db),
      hasPage: true,
    },
    findShown: () => findShownSettings({ db, dataDir: config.dataDir }),
    trail: [{ href: self, label: settingsPage.title }],
    listLabels: (before, after) => [
      ...new Set(compareSettings(before, after).map(({ path }) => labelOf(path))),
    ],
    describe: (before, after) =>
      Promise.all(
        compareSettings(before, after).map(async ({ path, ...values }) => {
          const textOf = (value: unknown) => readableSetting(db, { path, setting: SETTINGS.get(path) }, value)
          return {
            key: path,
            label: labelOf(path),
            before: before === undefined ? '' : await textOf(values.before),
            after: await textOf(values.after),
          }
        }),
      ),
    // A draft changes only its own values.
    contentToRestore: async ({ version: { state }, content }) =>
      state === 'draft' ? (await findEditedSettings(db)).settings : content,
    async restore({ id: versionId, state }, paths) {
      const may = { mayChangeTags: mayChangeTags(context) }
      const outcome =
        state === 'draft' && !paths
          ? await saveEditedSettings(db, { changes: {}, ...may }, savingBy(context))
          : await restoreSettings(db, { versionId, paths, ...may }, savingBy(context, 'restored'))
      return outcome.kind === 'saved' ? { kind: 'saved', value: { to: self } } : outcome
    },
    record: { action: 'settings.restored', id: 'site', summary: versionChanges.settingsRestored },
  }
}

/** Returns the label of a setting for people, by its path in `content/site.yaml`. */
export function labelOf(path: string): string {
  return settingName(path, SETTINGS.get(path)?.texts.label)
}
