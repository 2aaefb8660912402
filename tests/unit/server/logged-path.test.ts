import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedPath } from '#src/server/refusals/logged-path.ts'

test('a logged path has no query and no invitation token, in any spelling', () => {
  for (const [url, logged] of [
    ['/admin/inbox?q=Ann', '/admin/inbox'],
    ['/admin/setup?code=secret', '/admin/setup'],
    ['/admin/invitation/secret', '/admin/invitation/…'],
    ['/admin/password-reset/secret', '/admin/password-reset/…'],
    ['/admin/invitation/secret/?x', '/admin/invitation/…'],
    ['/admin/%69nvitation/secret', '/admin/invitation/…'],
    ['//admin//invitation/secret', '//admin//invitation/…'],
    ['/admin/%E0%A4%A', '/admin/%E0%A4%A'],
    ['/admin/x/../invitation/secret', '/admin/x/../invitation/…'],
    ['/admin/invitation/./secret', '/admin/invitation/…'],
    ['/admin/./invitation//secret', '/admin/./invitation/…'],
  ])
    assert.equal(loggedPath(url), logged)
})
