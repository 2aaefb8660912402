import { spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { skipWithout } from './needed-tool.ts'
import { waitFor } from './running-site.ts'

const TEMPORARY_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const isInstalled = spawnSync('nginx', ['-v']).status === 0

/** Reason for skipping tests with nginx on this machine, or false. */
export const withoutNginx = skipWithout(isInstalled, 'nginx is not installed; .ci/run installs it')

/** Runs a real nginx with `http` as the content of its http block until the test ends. It listens when this returns. */
export async function startNginx(
  t: TestContext,
  { http, url }: { http: string; url: string },
): Promise<void> {
  const folder = temporaryFolder(t)
  const temporary = TEMPORARY_FOLDERS.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {} http { access_log off; ${temporary} ${http} }`,
  )
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'inherit' })
  atEnd(t, () => nginx.kill())
  await waitFor(() => isListening(url) || nginx.exitCode !== null)
  if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`)
}

function isListening(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}
