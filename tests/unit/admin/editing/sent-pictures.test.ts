import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { imagePath, picturePath } from '#src/admin/editing/pictures/library-paths.ts'
import { toPictureOption } from '#src/admin/editing/pictures/picture-option.ts'
import { describePicture, sendPicture } from '#src/admin/editing/pictures/send-picture.ts'
import { withUnpublishedPictures } from '#src/admin/editing/pictures/unpublished-pictures.ts'
import { aPicture } from '../../../support/pictures.ts'

const OPTION = { id: 7, name: 'van.jpg', image: '/van', alt: null }

/** Puts a value in place of a global one until the test ends. */
function replaceGlobal(t: TestContext, name: 'XMLHttpRequest' | 'fetch', value: unknown) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name)
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  t.after(() => {
    Reflect.deleteProperty(globalThis, name)
    if (before) Object.defineProperty(globalThis, name, before)
  })
}

/** A browser whose uploads end with this response, or with none. */
function aBrowser(t: TestContext, response?: { status: number; responseText: string }) {
  const sent: { to: string[]; headers: Record<string, string>; body: FormData }[] = []
  class Upload extends EventTarget {
    upload = new EventTarget()
    to: string[] = []
    headers: Record<string, string> = {}
    open(...to: string[]) {
      this.to = to
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value
    }
    send(body: FormData) {
      sent.push({ to: this.to, headers: this.headers, body })
      for (const [loaded, total] of [
        [5, 20],
        [7, 0],
      ])
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
      Object.assign(this, response)
      this.dispatchEvent(new Event(response ? 'load' : 'error'))
    }
  }
  replaceGlobal(t, 'XMLHttpRequest', Upload)
  return sent
}

const FILE = new File(['x'], 'van.jpg')

test('a picture is sent with its description, and its progress is shown', async (t) => {
  const added = { ...OPTION, text: 'Added.' }
  const sent = aBrowser(t, { status: 201, responseText: JSON.stringify({ added }) })
  const progress: number[] = []
  const onProgress = (percent: number) => progress.push(percent)
  assert.deepEqual(await sendPicture(FILE, { alt: 'Our van', onProgress }), { added })
  await sendPicture(FILE, { alt: '', onProgress })
  assert.deepEqual(progress.slice(0, 2), [25, 0])
  assert.deepEqual(
    sent.map(({ to, headers, body }) => [...to, headers.accept, body.get('alt'), body.get('decorative')]),
    [
      ['POST', '/admin/pictures/new', 'application/json', 'Our van', null],
      ['POST', '/admin/pictures/new', 'application/json', null, 'on'],
    ],
  )
  const file = sent[0]?.body.get('files')
  assert.equal(file instanceof File && file.name, 'van.jpg')
})

test('an upload that fails says why, if the server does', async (t) => {
  const answerOf = (response?: { status: number; responseText: string }) => {
    aBrowser(t, response)
    return sendPicture(FILE, { alt: '', onProgress: () => {} })
  }
  assert.deepEqual(await answerOf(), {})
  assert.deepEqual(await answerOf({ status: 422, responseText: '{"refused":"Broken."}' }), {
    refused: 'Broken.',
  })
  assert.deepEqual(await answerOf({ status: 413, responseText: 'Too large.' }), { refused: 'Too large.' })
  assert.deepEqual(await answerOf({ status: 502, responseText: '<html>' }), {})
})

test('a picture of the library is described where it is used', async (t) => {
  const sent: [string, string, string][] = []
  let answer: () => Promise<Response> = async () => new Response()
  replaceGlobal(t, 'fetch', (path: string, { method, body }: { method: string; body: URLSearchParams }) => {
    sent.push([path, method, body.toString()])
    return answer()
  })
  assert.deepEqual(await describePicture(OPTION, 'A van'), { added: { ...OPTION, alt: 'A van', text: '' } })
  assert.equal((await describePicture(OPTION, '')).added?.alt, '')
  const path = '/admin/pictures/descriptions?picture=7'
  assert.deepEqual(sent, [
    [path, 'POST', 'alt.7=A+van'],
    [path, 'POST', 'decorative.7=on'],
  ])
  answer = async () => new Response(null, { status: 500 })
  assert.deepEqual(await describePicture(OPTION, 'A van'), {})
  answer = () => Promise.reject(new Error('offline'))
  assert.deepEqual(await describePicture(OPTION, 'A van'), {})
})

test('the address of a thumbnail changes with the picture, and not with its name', () => {
  const picture = { ...aPicture({ name: 'van.jpg', alt: 'Our van' }), id: 7 } as never
  const { image, ...option } = toPictureOption(picture)
  assert.deepEqual(option, { id: 7, name: 'van.jpg', alt: 'Our van' })
  const [sha256, other] = ['a'.repeat(64), 'b'.repeat(64)]
  assert.equal(image, imagePath(picture))
  assert.notEqual(imagePath({ id: 7, sha256 }), imagePath({ id: 7, sha256: other }))
  assert.match(imagePath({ id: 7, sha256 }, 1280), /^\/admin\/pictures\/7\/image\?width=1280&of=a{12}$/)
  assert.match(imagePath({ id: 7, sha256 }), /width=320/)
  assert.match(picturePath({ id: 7 }), /^\/admin\/pictures\/7\?from=editor$/)
})

test('pictures that the site doesn’t have yet come from the library', () => {
  const html =
    '<img src="/_astro/picture-a.webp" srcset="/_astro/picture-a.webp 2x"><link href="/_astro/a.css">'
  assert.equal(
    withUnpublishedPictures(html),
    html.replaceAll('/_astro/picture-', '/admin/pictures/variants/picture-'),
  )
})
