import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { signatureHeaders, signingKey } from '#src/webhooks/sending/signatures.ts'
import { temporaryFolder } from '../../support/database.ts'
import { skipWithout } from '../../support/needed-tool.ts'

const GUIDE = new URL('../../../docs/webhooks.md', import.meta.url)
const ENCODED_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SECONDS_LATE = 6 * 60

interface SignedRequest {
  name: string
  /** What the receiver knows. */
  secret: string
  headers: Record<string, string>
  body: string
  isGood: boolean
}

interface Signing {
  secrets?: string[]
  body?: string
  secondsAgo?: number
}

function sign({ secrets = ['a secret'], body = '{"name":"Žofie ✓"}', secondsAgo = 0 }: Signing = {}) {
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo
  const signed = signatureHeaders(secrets.map(signingKey), { id: 'msg_1', timestamp, body })
  const headers: Record<string, string> = {
    ...signed,
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${timestamp}`,
  }
  return { secret: 'a secret', headers, body }
}

function signedRequests(): SignedRequest[] {
  const good = sign()
  const { 'webhook-signature': signature = '' } = good.headers
  const withHeaders = (headers: Record<string, string>) => ({
    ...good,
    headers: { ...good.headers, ...headers },
  })
  return [
    { name: 'a text as secret', isGood: true, ...good },
    { name: 'an empty body', isGood: true, ...sign({ body: '' }) },
    { name: 'a whsec_ secret', isGood: true, ...sign({ secrets: [ENCODED_SECRET] }), secret: ENCODED_SECRET },
    {
      name: 'whsec_ without padding',
      isGood: true,
      ...sign({ secrets: ['whsec_c2VjcmV0MQ'] }),
      secret: 'whsec_c2VjcmV0MQ==',
    },
    { name: 'a secret that is being replaced', isGood: true, ...sign({ secrets: ['new', 'a secret'] }) },
    { name: 'a secret that is new', isGood: true, ...sign({ secrets: ['a secret', 'old'] }) },
    { name: 'four minutes of delay', isGood: true, ...sign({ secondsAgo: 240 }) },
    { name: 'a changed body', isGood: false, ...good, body: `${good.body} ` },
    { name: 'another secret', isGood: false, ...good, secret: 'another' },
    { name: 'an old timestamp', isGood: false, ...sign({ secondsAgo: SECONDS_LATE }) },
    { name: 'a timestamp in the future', isGood: false, ...sign({ secondsAgo: -SECONDS_LATE }) },
    {
      name: 'a changed timestamp',
      isGood: false,
      ...withHeaders({
        'webhook-timestamp':
          good.headers['webhook-timestamp']?.replace(/.$/, (d) => `${(Number(d) + 1) % 10}`) ?? '',
      }),
    },
    { name: 'a timestamp that is no number', isGood: false, ...withHeaders({ 'webhook-timestamp': 'now' }) },
    { name: 'another id', isGood: false, ...withHeaders({ 'webhook-id': 'msg_2' }) },
    {
      name: 'another version',
      isGood: false,
      ...withHeaders({ 'webhook-signature': signature.replace('v1,', 'v2,') }),
    },
    {
      name: 'a signature that is cut',
      isGood: false,
      ...withHeaders({ 'webhook-signature': signature.slice(0, -1) }),
    },
    { name: 'no signature', isGood: false, ...withHeaders({ 'webhook-signature': '' }) },
    { name: 'no headers at all', isGood: false, ...good, headers: {} },
  ]
}

/** The fenced block of that language in the section on verification. */
function exampleIn(language: string): string {
  const section = readFileSync(GUIDE, 'utf8').split('\n## Verifying a webhook\n')[1]?.split('\n## ')[0] ?? ''
  const example = section.match(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's'))?.[1]
  assert.ok(example, `docs/webhooks.md has no example in ${language}`)
  return example
}

/** What the example says of each request. `program` reads them from standard input and prints an array of booleans. */
function runExample(
  t: TestContext,
  [command, example, file, program]: readonly [string | string[], string, string, string],
) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, file), example)
  writeFileSync(join(folder, `run-${file}`), program)
  const requests = signedRequests()
  const [executable = '', ...before] = [command].flat()
  const run = spawnSync(executable, [...before, `run-${file}`], {
    cwd: folder,
    input: JSON.stringify(requests),
    encoding: 'utf8',
    env: { ...process.env, GOCACHE: join(folder, 'cache'), GO111MODULE: 'off', GOFLAGS: '' },
  })
  if (run.error) throw run.error
  assert.equal(run.status, 0, run.stderr)
  const verdicts: boolean[] = JSON.parse(run.stdout)
  assert.equal(verdicts.length, requests.length)
  return requests.map((request, index) => ({ ...request, verdict: verdicts[index] }))
}

function checkVerdicts(requests: ReturnType<typeof runExample>) {
  for (const { name, isGood, verdict } of requests) assert.equal(verdict, isGood, name)
}

const NODE_PROGRAM = `
import { readFileSync } from 'node:fs'
import { verifyWebhook } from './verify_webhook.mjs'
const requests = JSON.parse(readFileSync(0, 'utf8'))
const verdicts = requests.map(({ secret, headers, body }) => verifyWebhook(secret, headers, Buffer.from(body)))
console.log(JSON.stringify(verdicts))
`

const PYTHON_PROGRAM = `
import json
import sys
from verify_webhook import verify_webhook
requests = json.loads(sys.stdin.buffer.read())
print(json.dumps([verify_webhook(one["secret"], one["headers"], one["body"].encode()) for one in requests]))
`

const PHP_PROGRAM = `<?php
require 'verify_webhook.php';
$requests = json_decode(file_get_contents('php://stdin'), true);
$verdicts = array_map(fn ($one) => verify_webhook($one['secret'], $one['headers'], $one['body']), $requests);
echo json_encode($verdicts);
`

const GO_PROGRAM = `
package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var requests []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, one := range requests {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, Verify(one.Secret, header, []byte(one.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`

test('the documented Node example verifies signed requests and refuses all others', (t) => {
  checkVerdicts(runExample(t, [process.execPath, exampleIn('js'), 'verify_webhook.mjs', NODE_PROGRAM]))
})

const hasPython = spawnSync('python3', ['--version']).status === 0
const withoutPython = skipWithout(hasPython, 'python3 is not installed; .ci/run installs it')

test('the documented Python example verifies signed requests and refuses all others', {
  skip: withoutPython,
}, (t) => {
  checkVerdicts(runExample(t, ['python3', exampleIn('python'), 'verify_webhook.py', PYTHON_PROGRAM]))
})

const hasPhp = spawnSync('php', ['--version']).status === 0
const withoutPhp = skipWithout(hasPhp, 'php is not installed; .ci/run installs it')

test('the documented PHP example verifies signed requests and refuses all others', {
  skip: withoutPhp,
}, (t) => {
  checkVerdicts(runExample(t, ['php', exampleIn('php'), 'verify_webhook.php', PHP_PROGRAM]))
})

const hasGo = spawnSync('go', ['version']).status === 0
const withoutGo = skipWithout(hasGo, 'go is not installed; .ci/run installs it')

test('the documented Go example verifies signed requests and refuses all others', {
  skip: withoutGo,
}, (t) => {
  const example = exampleIn('go').replace('package webhook', 'package main')
  checkVerdicts(runExample(t, [['go', 'run', 'verify.go'], example, 'verify.go', GO_PROGRAM]))
})
