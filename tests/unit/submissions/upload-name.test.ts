import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanFileName } from '#src/submissions/uploads/upload-name.ts'

const CASES: [sent: string, shown: string][] = [
  ['roof.png', 'roof.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ann\\roof.png', 'roof.png'],
  ['a/..', 'file'],
  ['', 'file'],
  [' . ', 'file'],
  ['a.png\0.exe', 'a.png.exe'],
  ['line\r\nbreak\t.pdf', 'linebreak.pdf'],
  ['invoice_\u202efdp.exe', 'invoice_fdp.exe'],
  ['cafe\u0301.pdf', 'café.pdf'],
  ['half \ud83d.pdf', 'half \ufffd.pdf'],
  ['👩‍🚀.png', '👩‍🚀.png'],
  [`${'a'.repeat(300)}.jpeg`, `${'a'.repeat(115)}.jpeg`],
  ['a'.repeat(300), 'a'.repeat(120)],
]

for (const [sent, shown] of CASES) {
  test(`a file called ${JSON.stringify(sent).slice(0, 40)} is shown as ${JSON.stringify(shown).slice(0, 40)}`, () => {
    assert.equal(cleanFileName(sent), shown)
  })
}

test('a file name is never a path, empty, longer than 120 characters, or invisible', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(
      fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...'./\\\0\u202e\u2066a é\n'), maxLength: 200 })),
      (sent) => {
        const name = cleanFileName(sent)
        assert.match(name, /^[^/\\\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u)
        assert.ok([...name].length <= 120 && !/^\.+$/.test(name) && name.isWellFormed())
      },
    ),
  )
})
