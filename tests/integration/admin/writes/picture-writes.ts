import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { deletePicture } from '#src/pictures/change-picture.ts'
import { pictureSubject } from '#src/pictures/picture-history.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { aPhoto } from '#tests/support/photos.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const CLOCK = { now: '2026-11-20T10:00:00.000Z' }

// No two writes have the same picture.
let count = 0

function anotherPhoto(): Promise<Buffer> {
  count += 1
  return aPhoto({ width: 40 + count, height: 40 })
}

async function aFile({ app, name }: Scene): Promise<string> {
  const path = join(app.config.dataDir, `${name}-${count}.jpg`)
  writeFileSync(path, await anotherPhoto())
  return path
}

async function aStoredPicture(scene: Scene): Promise<{ id: number; name: string }> {
  const { db, pictureFiles } = scene.app
  const outcome = await addPicture(db, pictureFiles, { path: await aFile(scene), name: scene.name }, CLOCK)
  if (outcome.kind !== 'saved') throw new Error(outcome.kind)
  return outcome.value
}

export const PICTURE_WRITES: Write[] = [
  {
    route: '/admin/pictures/new',
    does: 'uploads a picture',
    arrange: async () => ({
      path: '/admin/pictures/new',
      files: { files: await anotherPhoto() },
      logs: {
        ...{ action: 'picture.added', subject: 'picture new' },
        summary: 'Uploaded the picture photo.jpg',
      },
      changes: [...added('library_pictures'), ...added('content_versions')],
    }),
  },
  {
    route: '/admin/pictures/descriptions',
    does: 'describes pictures',
    async arrange(scene) {
      const { id } = await aStoredPicture(scene)
      return {
        path: `/admin/pictures/descriptions?picture=${id}`,
        fields: { [`alt.${id}`]: 'Our van' },
        logs: { action: 'picture.changed', subject: null, summary: 'Described 1 picture' },
        changes: [...changed('library_pictures', id), ...added('content_versions')],
      }
    },
  },
  {
    route: '/admin/pictures/[id]',
    does: 'changes a picture',
    async arrange(scene) {
      const { id, name } = await aStoredPicture(scene)
      return {
        path: `/admin/pictures/${id}`,
        fields: { alt: 'Our van', focus_x: '40', focus_y: '30', tags: 'vans' },
        logs: {
          ...{ action: 'picture.changed', subject: `picture ${id}` },
          summary: `Changed the picture ${name}`,
        },
        changes: [...changed('library_pictures', id), ...added('content_versions')],
      }
    },
  },
  {
    route: '/admin/pictures/[id]/replacement',
    does: 'replaces a picture',
    async arrange(scene) {
      const { id, name } = await aStoredPicture(scene)
      return {
        path: `/admin/pictures/${id}/replacement`,
        files: { file: await anotherPhoto() },
        logs: {
          ...{ action: 'picture.replaced', subject: `picture ${id}` },
          summary: `Replaced the picture ${name}`,
        },
        changes: [
          ...changed('library_pictures', id),
          ...added('picture_versions'),
          ...added('content_versions'),
        ],
      }
    },
  },
  {
    route: '/admin/pictures/[id]/versions/[version]',
    does: 'restores what a picture was',
    async arrange(scene) {
      const { id, name } = await aStoredPicture(scene)
      const { db, pictureFiles } = scene.app
      await replacePicture(db, pictureFiles, { id, path: await aFile(scene) }, CLOCK)
      const [, version] = await listVersions(db, pictureSubject(id), { limit: 2 })
      return {
        path: `/admin/pictures/${id}/versions/${version?.id}`,
        logs: {
          ...{ action: 'picture.replaced', subject: `picture ${id}` },
          summary: `Restored a version of the picture ${name}`,
        },
        changes: [
          ...changed('library_pictures', id),
          ...added('picture_versions'),
          ...added('content_versions'),
        ],
      }
    },
  },
  {
    route: '/admin/pictures/[id]/removal',
    does: 'deletes a picture with what it was',
    async arrange(scene) {
      const { id, name } = await aStoredPicture(scene)
      return {
        path: `/admin/pictures/${id}/removal`,
        logs: {
          ...{ action: 'picture.deleted', subject: `picture ${id}` },
          summary: `Deleted the picture ${name}`,
        },
        changes: [
          ...removed('library_pictures', id),
          ...added('content_trash'),
          ...added('trashed_picture_files'),
        ],
      }
    },
  },
  {
    route: '/admin/trash/[id]/restoration',
    does: 'takes a picture out of the trash',
    async arrange(scene) {
      const { id, name } = await aStoredPicture(scene)
      const { db } = scene.app
      await deletePicture(db, id, { ...CLOCK, isUsed: async () => false })
      const [trashed] = await listTrash(db, { limit: 1 })
      const hashes = await db.selectFrom('trashed_picture_files').selectAll().execute()
      const files = hashes.filter(({ trash_id }) => trash_id === trashed?.id)
      return {
        path: `/admin/trash/${trashed?.id}/restoration`,
        logs: {
          ...{ action: 'picture.undeleted', subject: `picture ${id}` },
          summary: `Restored the picture “${name}” from the trash`,
        },
        changes: [
          ...added('library_pictures'),
          ...removed('content_trash', trashed?.id),
          ...removed(
            'trashed_picture_files',
            ...files.map(({ trash_id, sha256 }) => `${trash_id} ${sha256}`),
          ),
        ],
      }
    },
  },
]
