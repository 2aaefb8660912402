import type { AstroGlobal } from 'astro'
import { pictureActivity, pictureInputs, pictureTexts } from '../../messages/admin/pictures/pictures.ts'
import { restoreVersion } from '../../pictures/change-picture.ts'
import { type PictureSnapshot, pictureSubject, toPictureSnapshot } from '../../pictures/picture-history.ts'
import { findPictureById, type LibraryPicture, listPicturesByName } from '../../pictures/picture-store.ts'
import { findShownSaves } from '../../publish/states/shown-saves.ts'
import { appOf, readId } from '../kit/page-context.ts'
import type { DescribedChange, Versioned } from '../versions/versioned.ts'
import { readableSize } from './readable-size.ts'
import { refuseSitePicture } from './refuse-site-picture.ts'
import { savingPicture } from './saving-picture.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'cookies' | 'url'>

const { versionParts, versionValues } = pictureTexts

/** Finds the picture in the URL with its versions; undefined if there is none. */
export async function findVersionedPicture(context: Context): Promise<Versioned | undefined> {
  const picture = await findPictureById(appOf(context).db, readId(context.params.id))
  return picture && versionedPicture(context, picture)
}

/** Finds the picture with this name as its ID, as the change log identifies it. */
export async function findNamedPicture(context: Context): Promise<Versioned | undefined> {
  const name = context.params.id ?? ''
  const picture = (await listPicturesByName(appOf(context).db, [name])).get(name)
  return picture && versionedPicture(context, picture)
}

/** Returns a picture with its versions. */
export function versionedPicture(context: Context, picture: LibraryPicture): Versioned {
  const { db, config } = appOf(context)
  const { id, name } = picture
  const self = `/admin/pictures/${id}`
  const describe = (before: unknown, after: unknown) =>
    comparePictures(before as PictureSnapshot | undefined, after as PictureSnapshot)
  return {
    ...{ subject: pictureSubject(id), name, self, now: toPictureSnapshot(picture) },
    trail: [{ href: self, label: name }],
    findShown: () => findShownSaves({ db, dataDir: config.dataDir }, { subjects: ['picture'], id: name }),
    listLabels: (before, after) => describe(before, after).map(({ label }) => label),
    describe: async (before, after) => describe(before, after),
    refuseRestore: () => refuseSitePicture(context, picture),
    async restore({ id: versionId }) {
      const outcome = await restoreVersion(db, { id, versionId }, savingPicture(context, 'restored'))
      return outcome.kind === 'saved' ? { kind: 'saved', value: { to: self } } : outcome
    },
    record: { action: 'picture.replaced', id, summary: pictureActivity.restored(name) },
  }
}

// Two files of the same size differ by their hash.
function comparePictures(before: PictureSnapshot | undefined, after: PictureSnapshot): DescribedChange[] {
  const former = before && textsOf(before)
  const texts = textsOf(after)
  const keys = Object.keys(texts) as (keyof typeof texts)[]
  return keys
    .filter((key) =>
      key === 'file' ? before?.sha256 !== after.sha256 : (former?.[key] ?? '') !== texts[key],
    )
    .map((key) => ({ label: versionParts[key], before: former?.[key] ?? '', after: texts[key] }))
}

function textsOf({ width, height, size, alt, focalPoint, crop, tags }: PictureSnapshot) {
  const [x, y] = (focalPoint ?? []).map(percent)
  return {
    file: pictureTexts.facts(width, height, readableSize(size)),
    alt: alt === '' ? pictureInputs.decorative.label : (alt ?? ''),
    focalPoint: x && y ? versionValues.point(x, y) : '',
    crop: crop
      ? versionValues.crop({
          ...{ left: percent(crop.x), top: percent(crop.y) },
          ...{ width: percent(crop.width), height: percent(crop.height) },
        })
      : '',
    tags: tags.join(', '),
  }
}

function percent(part: number): string {
  return `${Math.round(part * 1_000) / 10}%`
}
