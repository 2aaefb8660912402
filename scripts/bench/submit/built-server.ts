// The server that a plain `astro build` leaves: its entry listens on its own.
import { pathToFileURL } from 'node:url'

const [, , entry = ''] = process.argv
await import(pathToFileURL(entry).href)
console.log('ready')
