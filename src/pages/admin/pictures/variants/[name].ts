import { readFile } from 'node:fs/promises'
import type { APIRoute } from 'astro'
import { appOf, notFound } from '#src/admin/kit/page-context.ts'
import { findByHash } from '#src/pictures/picture-store.ts'
import { makeVariant } from '#src/publish/pictures/entry-pictures.ts'
import { readVariantName } from '#src/site/pictures/entry-picture.ts'

const TYPES = { avif: 'image/avif', webp: 'image/webp' } as const

/** Serves a picture variant under its public name before a publish has made it, for previews. */
export const GET: APIRoute = async (context) => {
  const { db, publishing } = appOf(context)
  const name = context.params.name ?? ''
  const read = readVariantName(name)
  const found = read ? await findByHash(db, read.hash) : []
  const file = await makeVariant(db, { ...publishing.place, pictures: found, name })
  if (file === undefined) return notFound(context)
  const type = TYPES[name.endsWith('.avif') ? 'avif' : 'webp']
  const headers = { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' }
  return new Response(new Uint8Array(await readFile(file)), { headers })
}
