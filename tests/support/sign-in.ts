import assert from 'node:assert/strict'

/** Signs in at a running site; returns the `cookie` header of the session. */
export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const answer = await fetch(`${url}/admin/login`, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin: url } },
    body: new URLSearchParams({ email, password }),
  })
  assert.equal(answer.status, 303)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
