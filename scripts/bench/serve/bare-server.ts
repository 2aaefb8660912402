// The ceiling: node:http that answers the bytes of one file from memory, and nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , file = '', port = '0'] = process.argv
const bytes = readFileSync(file)
const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': bytes.length }

createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
