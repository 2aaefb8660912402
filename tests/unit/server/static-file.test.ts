import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asFile } from '#src/server/http/static-file.ts'

test('ASVS 4.1.1 every text file is served with a charset', () => {
  for (const extension of ['html', 'css', 'js', 'json', 'svg', 'xml', 'txt']) {
    const type = asFile(`site/page.${extension}`, Buffer.from(''))?.headers['content-type']
    assert.match(String(type), /; charset=utf-8$/, extension)
  }
})
