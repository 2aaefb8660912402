// The thread of render-apart.ts: answers each text with its HTML and the addresses of its pictures.
import { parentPort } from 'node:worker_threads'
import { renderMarkdown } from './markdown.ts'
import type { RenderedText, TextToRender } from './render-apart.ts'

parentPort?.on('message', (text: TextToRender) => parentPort?.postMessage(render(text)))

function render({ markdown, pictures }: TextToRender): RenderedText {
  const addresses: string[] = []
  try {
    const html = renderMarkdown(markdown, (address) => {
      addresses.push(address)
      return pictures.get(address)
    })
    return { kind: 'rendered', html, addresses }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'too_deep' }
    throw error
  }
}
