import { defineConfig } from 'astro/config'
import signpost from './src/integration/signpost.ts'

export default defineConfig({ integrations: [signpost()] })
