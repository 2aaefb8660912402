import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { featuresFromSource, nameAsset, serverEntry } from './src/server/bundle-plugins.ts'
import { developmentServer } from './src/server/development/development-server.ts'
import { staticBuild } from './src/server/prerender/static-build.ts'

// With BUNDLE_DIR, `astro build` makes the templates' bundle; pages are rendered from it at every publish (src/publish).
// Without it, it prerenders every page of the database and makes a server for their forms (src/server/prerender).
const bundleDir = process.env.BUNDLE_DIR
const isBundle = bundleDir !== undefined

export default defineConfig({
  output: 'server',
  outDir: bundleDir ?? './dist',
  adapter: node({ mode: 'middleware' }),
  integrations: [developmentServer(), staticBuild({ isBundle })],
  trailingSlash: 'never',
  session: false,
  build: { format: 'file', inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  // The server in front checks the origin of every unsafe request itself (src/server).
  security: { checkOrigin: false },
  vite: {
    plugins: [tailwindcss(), serverEntry({ isBundle }), featuresFromSource()],
    build: {
      // dist/ has the bundles of publishes too.
      emptyOutDir: false,
      assetsInlineLimit: 0,
      rolldownOptions: { output: { assetFileNames: nameAsset } },
    },
  },
})
