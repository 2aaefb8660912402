// The server made by a plain `astro build`: its entry listens by itself.
import { pathToFileURL } from 'node:url'

const [, , entry = ''] = process.argv
await import(pathToFileURL(entry).href)
console.log('ready')
