import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { bundleEntry, featuresFromSource, nameAsset } from './src/server/bundle-plugins.ts'
import { developmentServer } from './src/server/development/development-server.ts'

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
    plugins: [tailwindcss(), bundleEntry(), featuresFromSource()],
    build: {
      assetsInlineLimit: 0,
      rolldownOptions: { output: { assetFileNames: nameAsset } },
    },
  },
})
