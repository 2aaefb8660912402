import { loadPictureChoices, type PictureChoices, undescribedAmong } from '../../pictures/picture-choices.ts'
import type { LibraryPicture } from '../../pictures/picture-store.ts'
import type { BrokenTextLink } from '../../publish/addresses/find-broken-links.ts'
import { findAreaState } from '../../publish/states/changed-settings.ts'
import type { EntryState } from '../../publish/states/entry-state.ts'
import { picturesInSettings } from '../../site/settings/setting-pictures.ts'
import { brokenLinksOf } from '../editing/links/broken-links-of.ts'
import { appOf } from '../kit/page-context.ts'
import { receiveSettings, type SettingsForm } from './receive-settings.ts'
import { listTexts } from './settings-form.ts'
import { HOME_SCREEN, type SettingsScreen, settingsOf } from './settings-screen.ts'

/** The data of `SettingsEditor`. */
export interface ShownEditor extends SettingsForm {
  screen: SettingsScreen
  state: EntryState
  pictures: PictureChoices
  /** Pictures of the screen that nobody described. */
  undescribed: LibraryPicture[]
  brokenLinks: BrokenTextLink[]
}

/** Returns what a screen of the settings shows, or the response to a valid post. */
export async function editSettings(
  astro: Parameters<typeof receiveSettings>[0],
  screen: SettingsScreen,
): Promise<ShownEditor | Response> {
  const { db, config } = appOf(astro)
  const received = await receiveSettings(astro, screen)
  if (received instanceof Response) return received
  const { settings } = received.edited
  const named = picturesInSettings(settings)
  const pictures = await loadPictureChoices(
    db,
    named.map(({ name }) => name),
  )
  // The name of the site describes its logo.
  const onHome = named.filter(({ path: [key] }) => key === 'home').map(({ name }) => name)
  return {
    ...received,
    ...{ screen, pictures },
    state: await findAreaState({ db, dataDir: config.dataDir }, screen.area),
    undescribed: screen === HOME_SCREEN ? undescribedAmong(pictures, onHome) : [],
    brokenLinks: await brokenLinksOf(astro, listTexts(settings, settingsOf(screen))),
  }
}
