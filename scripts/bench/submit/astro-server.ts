// Serves the empty Astro endpoint the way @astrojs/node is meant to be used inside another server.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const [, , entry = '', port = '0'] = process.argv
const { handler } = await import(pathToFileURL(entry).href)
createServer((request, response) => handler(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('ready'),
)
