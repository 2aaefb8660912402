import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import sharp from 'sharp'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sha256Hex } from '../../src/lib/canonical-json.ts'
import { type BenchedAdmin, measurePages, withAdmin } from './admin.ts'
import type { Measurement } from './report.ts'

const PICTURES = 10_000
const PAGES_NAMING = 5_000
const PHOTO_BYTES = 15 * 1024 * 1024
const PHOTO_SIZE = { width: 4_032, height: 3_024 }
const AT_ONCE = 10
const MOST_MS = 3_000
const MOST_HELD_MS = 50
const PROBE_EVERY_MS = 2

const PAGES = [
  '/admin/pictures',
  '/admin/pictures?q=van+77',
  '/admin/pictures?q=nowhere',
  '/admin/pictures?tag=tag-7',
  '/admin/pictures?show=unused',
  '/admin/pictures?show=undescribed',
  '/admin/pictures?page=100',
  '/admin/pictures/5000',
  '/admin/pictures/choices?q=van',
  '/admin/pictures/descriptions',
  '/admin/entries/pages/new',
  '/admin/settings',
]

/** Measures the screens of a library of 10,000 pictures, and uploads of large photos: one, and ten at once. */
export async function benchPictures(): Promise<Measurement[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  try {
    const path = join(dataDir, 'signpost.db')
    const db = connectDatabase(`file:${path}`)
    await migrate(db)
    await db.destroy()
    fillLibrary(path)
    return await withAdmin(dataDir, async (admin) => [
      ...(await measurePages(admin, PAGES)),
      ...(await measureUploads(admin)),
    ])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function fillLibrary(path: string) {
  const database = new SqliteDatabase(path)
  database.pragma('synchronous = OFF')
  const picture = database.prepare(
    `insert into library_pictures (name, sha256, width, height, size, alt, tags_json) values (?, ?, 3200, 2400, 900000, ?, ?)`,
  )
  const { id: pages } = database.prepare("select id from content_types where slug = 'pages'").get() as {
    id: number
  }
  const entry = database.prepare(
    "insert into content_entries (type_id, slug, title, status, data_json) values (?, ?, ?, 'published', '{}')",
  )
  const use = database.prepare('insert into picture_uses (entry_id, name) values (?, ?)')
  database.transaction(() => {
    for (let n = 1; n <= PICTURES; n++) {
      const name = `van-${n}.jpg`
      picture.run(name, sha256Hex(name), n % 10 ? `Van number ${n}` : null, JSON.stringify([`tag-${n % 50}`]))
      if (n > PAGES_NAMING) continue
      const { lastInsertRowid } = entry.run(pages, `page-${n}`, `Page ${n}`)
      use.run(lastInsertRowid, name)
    }
  })()
  database.close()
}

async function measureUploads(admin: BenchedAdmin): Promise<Measurement[]> {
  const photos = await Promise.all(Array.from({ length: AT_ONCE + 1 }, aPhoto))
  const [first, ...others] = photos
  const one = await send(admin, first ? [first] : [])
  const many = await send(admin, others)
  const megabytes = (first?.length ?? 0) / 1024 / 1024
  return [
    { name: 'size of a photo', value: megabytes, unit: 'MB' },
    { name: 'one photo ready', value: one.ms, unit: 'ms', atMost: MOST_MS },
    { name: `${AT_ONCE} photos at once, ready`, value: many.ms, unit: 'ms' },
    {
      name: `${AT_ONCE} photos at once: loop held, own work`,
      value: many.ownMs,
      unit: 'ms',
      atMost: MOST_HELD_MS,
    },
    {
      name: `${AT_ONCE} photos at once: loop held, elapsed`,
      value: many.clockMs,
      unit: 'ms',
      atMost: MOST_HELD_MS,
    },
  ]
}

// Noise hardly compresses, like leaves and gravel. A comment at the end pads the file to its size.
async function aPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { ...PHOTO_SIZE, channels: 3, background: '#888', noise } as const
  const jpeg = await sharp({ create }).jpeg({ quality: 90 }).toBuffer()
  return Buffer.concat([jpeg, Buffer.alloc(Math.max(0, PHOTO_BYTES - jpeg.length))])
}

const SENDER = `
  const { parentPort, workerData: { url, cookie, photos } } = require('node:worker_threads')
  const send = async (photo, index) => {
    const body = new FormData()
    body.append('alt', 'A photo of a roof')
    body.append('files', new Blob([photo]), 'photo-' + index + '.jpg')
    const headers = { cookie, origin: url, accept: 'application/json' }
    const answer = await fetch(url + '/admin/pictures/new', { method: 'POST', body, headers })
    const { added, refused } = await answer.json()
    if (!added) throw new Error('A photo was refused: ' + refused)
  }
  Promise.all(photos.map(send)).then(() => parentPort.postMessage('done'))
`

// Sent from another thread, because this one is measured.
async function send({ url, cookie }: BenchedAdmin, photos: readonly Buffer[]) {
  const delay = monitorEventLoopDelay({ resolution: PROBE_EVERY_MS })
  const worker = new Worker(SENDER, { eval: true, workerData: { url, cookie, photos } })
  let ownMs = 0
  let before = ownTimeMs()
  const timer = setInterval(() => {
    const now = ownTimeMs()
    ownMs = Math.max(ownMs, now - before)
    before = now
  }, PROBE_EVERY_MS)
  delay.enable()
  const startedAt = performance.now()
  try {
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    return { ms: performance.now() - startedAt, ownMs, clockMs: delay.max / 1e6 }
  } finally {
    delay.disable()
    clearInterval(timer)
    // A sender that failed would keep the server open.
    await worker.terminate()
  }
}

function ownTimeMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
