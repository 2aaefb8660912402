import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { developmentServer } from './src/server/development-server.ts'

// `astro build` makes the templates' bundle; pages are rendered from it at every publish (see src/publish).
export default defineConfig({
  output: 'server',
  outDir: process.env.BUNDLE_DIR ?? './dist/preview',
  adapter: node({ mode: 'middleware' }),
  integrations: [developmentServer()],
  trailingSlash: 'never',
  session: false,
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  // The server in front checks the origin of every unsafe request itself (src/server).
  security: { checkOrigin: false },
  vite: {
    plugins: [tailwindcss(), bundleEntry('./src/server/bundle-entry.ts')],
    build: {
      assetsInlineLimit: 0,
      rolldownOptions: { output: { assetFileNames: '_astro/[hash][extname]' } },
    },
  },
})

/** Makes our own module the bundle's entry in place of the adapter's: it hands out the page renderer beside the handler. */
function bundleEntry(path) {
  const input = { index: fileURLToPath(new URL(path, import.meta.url)) }
  return {
    name: 'signpost:bundle-entry',
    configEnvironment(name) {
      return name === 'ssr' ? { build: { rolldownOptions: { input } } } : undefined
    },
  }
}
