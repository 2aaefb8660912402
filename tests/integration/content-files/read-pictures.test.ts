import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { exportContent } from '#src/content-files/export-content.ts'
import { readPictures } from '#src/content-files/parsing/read-pictures.ts'
import { storePictures } from '#src/content-files/syncing/store-pictures.ts'
import { sha256Hex } from '#src/lib/canonical-json.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const PNG = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#2f42a5' } })
  .png()
  .toBuffer()
const BYTES = { sha256: sha256Hex(PNG), width: 4, height: 3, size: PNG.length }
const TOO_HIGH = await sharp({ create: { width: 1, height: 11, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()

/** A content folder with these pictures. */
async function aFolder(t: TestContext, pictures: Record<string, Buffer | string>) {
  const contentDir = temporaryFolder(t)
  const folder = join(contentDir, 'pictures')
  mkdirSync(folder)
  for (const [name, bytes] of Object.entries(pictures)) writeFileSync(join(folder, name), bytes)
  return { db: await openTestDatabase(t), contentDir, folder }
}

for (const [text, details] of [
  ['', { alt: null }],
  ['alt: A van\n', { alt: 'A van' }],
  ['alt: ""\n', { alt: '' }],
  ['alt: null\ntags: []\nfocal_point: null\n', { alt: null }],
  [
    'focal_point: [0.25, 0.5]\ncrop: { x: 0, y: 0.1, width: 0.5, height: 0.5 }\ntags: [Team]\n',
    { alt: null, focal_point: [0.25, 0.5], crop: { x: 0, y: 0.1, width: 0.5, height: 0.5 }, tags: ['Team'] },
  ],
] as const) {
  test(`a picture with the details ${JSON.stringify(text)}`, async (t) => {
    const { db, contentDir } = await aFolder(t, { 'van.png': PNG, 'van.yaml': text })
    const { files } = await readPictures(db, contentDir)
    const document = { kind: 'picture', name: 'van.png', bytes: BYTES, ...details }
    assert.deepEqual(files, [{ path: 'pictures/van.png', document, references: [], mistakes: [] }])
  })
}

test('pictures with one stem may have details of their own', async (t) => {
  const { db, contentDir } = await aFolder(t, {
    'van.png': PNG,
    'van.webp': PNG,
    'van.png.yaml': 'alt: A van\n',
    'van.yaml': 'alt: Both\n',
    'README.md': 'About these pictures',
    '.hidden': 'x',
  })
  const { files, names, paths } = await readPictures(db, contentDir)
  assert.deepEqual(
    files.map(({ document }) => document?.kind === 'picture' && [document.name, document.alt]),
    [
      ['van.png', 'A van'],
      ['van.webp', 'Both'],
    ],
  )
  assert.deepEqual([...names], ['van.png', 'van.webp'])
  assert.deepEqual(paths.get('van.webp'), join(contentDir, 'pictures', 'van.webp'))
})

for (const [name, pictures, expected] of [
  ['details without a picture', { 'van.yaml': 'alt: A\n' }, ['pictures/van.yaml:1 picture_facts_alone']],
  [
    'an unknown key',
    { 'van.png': PNG, 'van.yaml': 'alt: A\nalternative: B\n' },
    ['pictures/van.yaml:2 unknown_key'],
  ],
  [
    'broken YAML',
    { 'van.png': PNG, 'van.png.yaml': 'alt: A\nb: "\n' },
    ['pictures/van.png.yaml:2 yaml_invalid'],
  ],
  [
    'details that aren’t UTF-8',
    { 'van.png': PNG, 'van.yaml': Buffer.from('alt: caf\xe9', 'latin1') },
    ['pictures/van.yaml:1 not_utf8'],
  ],
  [
    'a text',
    { 'van.png': 'x', 'van.yaml': 'alternative: B\n' },
    ['pictures/van.png:1 picture_of_no_kind', 'pictures/van.yaml:1 unknown_key'],
  ],
  ['an empty file', { 'van.png': '' }, ['pictures/van.png:1 picture_of_no_kind']],
  [
    'a drawing',
    { 'van.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>' },
    ['pictures/van.svg:1 picture_of_no_kind'],
  ],
  ['a cut picture', { 'van.png': PNG.subarray(0, -20) }, ['pictures/van.png:1 picture_cut']],
  ['a picture that is too high', { 'van.png': TOO_HIGH }, ['pictures/van.png:1 picture_too_high']],
  [
    'a name that is too long',
    { [`${'a'.repeat(117)}.png`]: PNG },
    [`pictures/${'a'.repeat(117)}.png:1 picture_name_long`],
  ],
  ['a name that is just short enough', { [`${'a'.repeat(116)}.png`]: PNG }, []],
] as [string, Record<string, Buffer | string>, string[]][]) {
  test(`a folder of pictures with ${name}: ${expected.length > 0 ? 'a mistake' : 'no mistake'}`, async (t) => {
    const { db, contentDir } = await aFolder(t, pictures)
    const { files, names, paths } = await readPictures(db, contentDir)
    assert.deepEqual(
      files.flatMap(({ mistakes }) =>
        mistakes.map(({ path, line, fault }) => `${path}:${line} ${fault.code}`),
      ),
      expected,
    )
    assert.equal(files.filter(({ document }) => document).length, expected.length > 0 ? 0 : 1)
    assert.deepEqual(
      [...names],
      Object.keys(pictures).filter((one) => !one.endsWith('.yaml')),
    )
    if (expected.some((place) => /picture_(of_no_kind|cut|too_high)/.test(place))) assert.equal(paths.size, 0)
  })
}

test('a folder or a huge file among the pictures is a mistake, and so is a file in place of all pictures', async (t) => {
  const { db, contentDir, folder } = await aFolder(t, { 'huge.png': PNG })
  mkdirSync(join(folder, 'more.png'))
  truncateSync(join(folder, 'huge.png'), 15 * 1024 * 1024 + 1)
  const read = await readPictures(db, contentDir)
  assert.deepEqual(
    read.files.flatMap(({ mistakes }) => mistakes.map(({ fault }) => fault)),
    [{ code: 'picture_too_large', params: { max: 15 } }, { code: 'picture_not_a_file' }],
  )
  const other = temporaryFolder(t)
  assert.deepEqual((await readPictures(db, other)).files, [], 'no folder')
  writeFileSync(join(other, 'pictures'), '')
  assert.deepEqual(
    (await readPictures(db, other)).files.flatMap(({ mistakes }) => mistakes),
    [{ path: 'pictures', line: 1, fault: { code: 'pictures_unreadable', params: { error: 'ENOTDIR' } } }],
  )
})

test('an export has pictures, each with a details file of its own only if it has details', async (t) => {
  const { db, contentDir } = await aFolder(t, { 'van.png': PNG })
  const pictureFiles = openPictureFiles(temporaryFolder(t))
  await storePictures(await readPictures(db, contentDir), { pictureFiles })
  const saving = { now: NOW, by: { source: 'file' as const } }
  const save = (name: string, alt: string | null) => savePicture(db, { name, ...BYTES, alt }, saving)
  await save('plain.png', null)
  await save('shop.png', 'The shop')
  await save('van.png', 'A van')
  await save('van.webp', '')
  const out = join(temporaryFolder(t), 'export')
  const secretBox = createSecretBox(new Uint8Array(32))
  const paths = await exportContent(db, { out, environment: {}, secretBox, pictureFiles })
  const details = {
    'shop.yaml': 'alt: The shop\n',
    'van.png.yaml': 'alt: A van\n',
    'van.webp.yaml': 'alt: ""\n',
  }
  const names = ['plain.png', 'shop.png', 'van.png', 'van.webp', ...Object.keys(details)]
  assert.deepEqual((await readdir(join(out, 'pictures'))).sort(), names.sort())
  assert.deepEqual(paths.map((path) => path.replace('pictures/', '')).sort(), names)
  for (const [name, text] of Object.entries(details))
    assert.equal(await readFile(join(out, 'pictures', name), 'utf8'), text)
  assert.deepEqual(await readFile(join(out, 'pictures', 'van.webp')), PNG)
})
