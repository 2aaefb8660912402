import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  outDir: process.env.BUNDLE_DIR,
  adapter: node({ mode: 'middleware' }),
  session: false,
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
})
