import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswers, sentValues } from '#src/forms/check-answers.ts'
import {
  acceptProblem,
  describeAccepted,
  findSniffedKind,
  findTextKind,
  isAccepted,
} from '#src/forms/fields/file-kinds.ts'
import type { FormField } from '#src/forms/form.ts'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { formatFileSize, MAX_FILE_BYTES, type ReceivedFile } from '#src/forms/received-file.ts'
import { describeAnswer } from '#src/messages/visitor/answers.ts'
import { aField, aFormFile } from '../../support/forms.ts'

const MIB = 1024 * 1024
const aFile = (file: Partial<ReceivedFile> = {}) => ({
  name: 'a.pdf',
  size: 9,
  type: 'application/pdf',
  ...file,
})

/** The stored answer to a file field, or what is wrong as `{ problem }`. */
function answerTo(field: Partial<FormField>, ...files: ReceivedFile[]) {
  const checked = checkAnswers([aField({ type: 'file', ...field })], {}, { answer: files })
  return checked.kind === 'valid' ? checked.answers.answer : { problem: checked.errors.answer?.join() }
}

test('contract §5 a file is stored as its name, size, type and upload_id', () => {
  assert.deepEqual(answerTo({}, aFile()), { name: 'a.pdf', size: 9, type: 'application/pdf', upload_id: 0 })
})

test('§2.2 a required file must be chosen; an optional one is stored as null', () => {
  assert.equal(answerTo({}), null)
  assert.deepEqual(answerTo({ required: true }), { problem: describeAnswer({ code: 'file_missing' }) })
})

const tooLarge = (max: string) => describeAnswer({ code: 'file_too_large', params: { max } })
const otherKind = (kinds: string) => describeAnswer({ code: 'file_of_other_kind', params: { kinds } })

const REFUSED: [what: string, field: Partial<FormField>, files: ReceivedFile[], problem: string][] = [
  ['two files', {}, [aFile(), aFile()], describeAnswer({ code: 'several_files' })],
  ['no bytes', {}, [aFile({ size: 0 })], describeAnswer({ code: 'file_empty' })],
  ['one byte over max_size', { validation: { max_size: 8 } }, [aFile()], tooLarge('8 bytes')],
  ['over the default', {}, [aFile({ size: 10 * MIB + 1 })], tooLarge('10 MB')],
  [
    'over the cap, whatever max_size says',
    { validation: { max_size: 90 * MIB } },
    [aFile({ size: MAX_FILE_BYTES + 1 })],
    tooLarge('25 MB'),
  ],
  [
    'another kind',
    { validation: { accept: ['.png', 'image/jpeg'] } },
    [aFile()],
    otherKind('a PNG picture or a JPEG picture'),
  ],
  [
    'no kind at all',
    { validation: { accept: ['.pdf', 'image/*'] } },
    [aFile({ type: null })],
    otherKind('a PDF or a picture'),
  ],
  [
    'its own message',
    { validation: { message: 'Please send the plan', max_size: 1 } },
    [aFile()],
    'Please send the plan',
  ],
]

for (const [what, field, files, problem] of REFUSED) {
  test(`§2.2 a file field refuses ${what}: ${problem}`, () => {
    assert.deepEqual(answerTo(field, ...files), { problem })
  })
}

const SIZES: [what: string, field: Partial<FormField>, size: number][] = [
  ['one byte', {}, 1],
  ['exactly max_size', { validation: { max_size: 9 } }, 9],
  ['exactly the default limit', {}, 10 * MIB],
  ['exactly the cap', { validation: { max_size: 90 * MIB } }, MAX_FILE_BYTES],
]

for (const [what, field, size] of SIZES) {
  test(`§2.2 a file field accepts ${what}`, () => {
    const stored = { name: 'a.pdf', size, type: 'application/pdf', upload_id: 0 }
    assert.deepEqual(answerTo(field, aFile({ size })), stored)
  })
}

test('§2.2 accept lists extensions, types, and groups of types', () => {
  for (const accept of [['.pdf'], ['.PDF'], ['application/pdf'], ['image/*', ' .pdf']]) {
    assert.ok(isAccepted('application/pdf', accept), String(accept))
  }
  for (const accept of [['.png'], ['image/*'], ['application/zip'], ['audio/*'], ['.exe'], []]) {
    assert.ok(!isAccepted('application/pdf', accept), String(accept))
  }
  assert.ok(isAccepted('image/jpeg', ['.jpg']) && isAccepted('image/jpeg', ['.jpeg']))
})

test('an unknown file type is reported with the known ones', () => {
  const problem = acceptProblem('.exe')
  assert.ok(problem?.code === 'file_kind_unknown')
  const { token, known } = problem.params
  assert.deepEqual(
    [token, known.slice(0, 3), known.includes('.pdf')],
    ['.exe', ['.jpg', '.png', '.gif'], true],
  )
  assert.equal(acceptProblem(' .PDF '), undefined)
})

test('extension and content must match; without an extension, and for pictures, the content decides', () => {
  assert.equal(findSniffedKind('a.JPG', 'image/jpeg')?.type, 'image/jpeg')
  assert.equal(findSniffedKind('scan', 'application/pdf')?.type, 'application/pdf')
  assert.equal(findSniffedKind('a.png', 'image/jpeg')?.type, 'image/jpeg')
  assert.equal(findSniffedKind('a.jpg', 'image/webp')?.type, 'image/webp')
  assert.equal(findSniffedKind('a.doc', 'application/x-cfb')?.type, 'application/msword')
  for (const [name, sniffed] of [
    ['a.pdf', 'image/jpeg'],
    ['a.png', 'application/pdf'],
    ['a.svg', 'image/png'],
    ['a.svg', 'application/xml'],
    ['a.exe', 'application/x-msdownload'],
    ['a.jpg.exe', 'image/jpeg'],
    ['a', 'application/x-msdownload'],
  ] as const) {
    assert.equal(findSniffedKind(name, sniffed), undefined, name)
  }
})

test('only the names of plain text files suggest text', () => {
  for (const [name, type] of [
    ['notes.TXT', 'text/plain'],
    ['server.log', 'text/plain'],
    ['prices.csv', 'text/csv'],
    ['plan.pdf', undefined],
    ['photo.jpg', undefined],
    ['page.html', undefined],
    ['txt', undefined],
  ] as const)
    assert.equal(findTextKind(name)?.type, type, name)
})

test('accept can’t allow HTML, SVG, scripts, or programs', () => {
  for (const token of [
    '.html',
    'text/html',
    '.svg',
    'image/svg+xml',
    '.js',
    '.exe',
    '.sh',
    '.php',
    '*/*',
    '',
    '.',
  ]) {
    assert.equal(acceptProblem(token)?.code, 'file_kind_unknown', token)
  }
  for (const token of ['image/*', '.pdf', 'text/csv']) assert.equal(acceptProblem(token), undefined)
})

test('§2.2 a form file with an impossible accept or max_size is refused at its position', () => {
  const mistakesOf = (validation: object) => {
    const field = { name: 'plan', label: 'Plan', type: 'file' as const, validation }
    const parsed = formDefinitionSchema.safeParse(aFormFile({ fields: [field] }))
    return parsed.error?.issues.map(({ path }) => path.join('.')) ?? []
  }
  assert.deepEqual(mistakesOf({ accept: '.pdf,.exe' }), ['fields.0.validation.accept'])
  assert.deepEqual(mistakesOf({ max_size: MAX_FILE_BYTES + 1 }), ['fields.0.validation.max_size'])
  assert.deepEqual(mistakesOf({ accept: '.pdf, image/*', max_size: MAX_FILE_BYTES }), [])
})

test('accepted types are described in words', () => {
  assert.equal(describeAccepted(['.jpg', 'image/jpeg']), 'a JPEG picture')
  assert.equal(describeAccepted(['.jpg', '.png', '.pdf']), 'a JPEG picture, a PNG picture, or a PDF')
  assert.match(describeAccepted(undefined), /^a picture, a PDF, (?:[^,]+, ){2}or a text file$/)
})

test('a displayed size never exceeds the limit', () => {
  const sizes = [1, 1023, 1024, 1_500, MIB - 1, MIB, 1.55 * MIB, 10 * MIB]
  assert.deepEqual(sizes.map(formatFileSize), [
    ...['1 byte', '1023 bytes', '1 KB', '1 KB', '1023 KB', '1 MB', '1.5 MB', '10 MB'],
  ])
})

test('a refused form lists the files sent with it', () => {
  assert.deepEqual(sentValues([aField({ type: 'file' })], {}, { answer: [aFile()] }), { answer: ['a.pdf'] })
})
