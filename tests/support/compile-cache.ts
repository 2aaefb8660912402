import module from 'node:module'
import { join } from 'node:path'
import './whole-packages.ts'

// Two hundred test files load much the same modules, each in its own process, and so do the programs they start.
const folder = join(import.meta.dirname, '../../node_modules/.cache/node')
process.env.NODE_COMPILE_CACHE = folder
module.enableCompileCache(folder)

if (process.env.NODE_TEST_CONTEXT) await import('./light-test-context.ts')
