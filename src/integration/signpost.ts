import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import type { AstroIntegration } from 'astro'
import { featuresFromSource, nameAsset, serverEntry } from '../server/bundle-plugins.ts'
import { developmentServer } from '../server/development/development-server.ts'
import { staticBuild } from '../server/prerender/static-build.ts'
import { siteFonts } from './looks/site-fonts.ts'
import { ownPages } from './own-pages.ts'
import { programRoutes } from './program-routes.ts'
import { type ComponentOverrides, replaceComponents } from './replace-components.ts'

export interface SignpostOptions {
  /** The site's own components, by the name of the one each replaces: `{ Header: './src/components/Header.astro' }`. */
  components?: ComponentOverrides
}

/**
 * Makes an Astro project a site of Signpost: `integrations: [signpost()]`. It brings the pages, the admin, and the server for
 * forms. With `BUNDLE_DIR`, `astro build` makes the bundle of templates that every publish renders pages with; without it,
 * it prerenders every page of the database.
 */
export default function signpost({ components = {} }: SignpostOptions = {}): AstroIntegration[] {
  const isBundle = process.env.BUNDLE_DIR !== undefined
  const adapter = node({ mode: 'middleware' })
  return [
    settings({ adapter, isBundle }),
    // After the settings it reads. Astro runs the hooks of an adapter on its own only for one that the project names.
    adapter,
    programRoutes(),
    ownPages(),
    siteFonts(),
    replaceComponents(components),
    developmentServer(),
    staticBuild({ isBundle }),
  ]
}

function settings({ adapter, isBundle }: { adapter: AstroIntegration; isBundle: boolean }): AstroIntegration {
  return {
    name: 'signpost',
    hooks: {
      'astro:config:setup'({ updateConfig }) {
        updateConfig({
          adapter,
          output: 'server',
          trailingSlash: 'never',
          session: false,
          // A page of the site's own with the address of another.
          prerenderConflictBehavior: 'error',
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
            ssr: { noExternal: ['signpost', /signpost-look-/] },
          },
        })
      },
    },
  }
}
