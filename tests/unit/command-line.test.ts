import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { skipWithout } from '../support/needed-tool.ts'
import { PROJECT_DIR } from '../support/running-site.ts'

const withoutFullDisk = skipWithout(existsSync('/dev/full'), 'this system has no /dev/full')

const COMMAND_LINE = pathToFileURL(`${PROJECT_DIR}/scripts/command-line.ts`).href

/** What a command says, and its exit status, whose work is this piece of a module. */
function runWork(work: string) {
  const { stderr, status } = spawnSync(process.execPath, commandOf(work), { encoding: 'utf8' })
  return { stderr, status }
}

function commandOf(work: string): string[] {
  const module = `
    import { writeFileSync } from 'node:fs'
    import { runCommand } from '${COMMAND_LINE}'
    await runCommand({ usage: 'npm run work', options: {} }, async () => { ${work} })`
  return ['--input-type=module', '-e', module]
}

test('a command on a full disk says what to do', { skip: withoutFullDisk }, () => {
  assert.deepEqual(runWork(`writeFileSync('/dev/full', 'x')`), {
    stderr:
      'The disk is full (ENOSPC: no space left on device, write). Free up space and run this command again\n',
    status: 1,
  })
})

test('a command that misses a file says which path to check', () => {
  assert.equal(
    runWork(`writeFileSync('/nowhere/x', '')`).stderr,
    "A file or folder is missing (ENOENT: no such file or directory, open '/nowhere/x'). Check its path\n",
  )
})

test('a command denied access to a file says which user to be, and other errors are unchanged', () => {
  const denied = `throw Object.assign(new Error('EACCES: permission denied, open x'), { code: 'EACCES' })`
  assert.match(runWork(denied).stderr, /^This user can't access a file or folder \(EACCES.*as the user who/)
  const explained = `throw Object.assign(new Error('Make room', { cause: 1 }), { code: 'SQLITE_FULL' })`
  assert.equal(runWork(explained).stderr, 'Make room\n')
})

test('a command with truncated output (`| head`) finishes its work silently', async () => {
  const work = `
    for (let line = 0; line < 3; line++) {
      console.log('a line')
      await new Promise((resolve) => setImmediate(resolve))
    }
    process.stderr.write('done')`
  const child = spawn(process.execPath, commandOf(work), { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  const [status] = await once(child, 'close')
  assert.deepEqual([status, said], [0, 'done'])
})

test('a command with a locked database, or a file in place of a folder, says what to do', () => {
  const locked = `throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })`
  assert.match(
    runWork(locked).stderr,
    /^Another program is writing to the database \(database is locked\)\. Run this/,
  )
  const noFolder = `throw Object.assign(new Error('ENOTDIR: not a directory, scandir x'), { code: 'ENOTDIR' })`
  assert.match(
    runWork(noFolder).stderr,
    /^A path contains a file where a folder is expected \(ENOTDIR.*scandir x\)\. Choose another folder$/m,
  )
})

test('a command continues if its progress can’t be written', {
  skip: withoutFullDisk,
}, () => {
  const work = `
    for (let line = 0; line < 3; line++) {
      console.error('a line')
      await new Promise((resolve) => setImmediate(resolve))
    }
    console.log('done')`
  const stdio = ['ignore' as const, 'pipe' as const, openSync('/dev/full', 'w')]
  const { status, stdout } = spawnSync(process.execPath, commandOf(work), { stdio, encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, 'done\n'])
})
