import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import tailwindcss from '@tailwindcss/vite'
import type { AstroIntegration } from 'astro'
import { featuresFromSource, nameAsset, namedMarkdown, serverEntry } from '../server/bundle-plugins.ts'
import { developmentServer } from '../server/development/development-server.ts'
import { staticBuild } from '../server/prerender/static-build.ts'
import { siteFonts } from './looks/site-fonts.ts'
import { ownPages } from './own-pages.ts'
import { programRoutes } from './program-routes.ts'
import { refuseSettings } from './refuse-settings.ts'
import { replaceComponents } from './replace-components.ts'
import { refuseUnknown, type SignpostOptions } from './signpost-options.ts'

const PICTURES = new URL('./original-pictures.ts', import.meta.url)
// A service of the site's own may be one that needs no server.
const ASTRO_SERVICES = /^astro\/assets\/services\//

/**
 * Turns an Astro project into a Signpost site: `integrations: [signpost()]`. Adds the pages, the admin, and the
 * server for forms. With `BUNDLE_DIR`, `astro build` makes the template bundle used by every publish; without it, it
 * prerenders every page from the database. Throws if an option is unknown.
 */
export default function signpost(options: SignpostOptions = {}): AstroIntegration[] {
  refuseUnknown(options)
  const { components = {} } = options
  const isBundle = process.env.BUNDLE_DIR !== undefined
  const adapter = node({ mode: 'middleware' })
  return [
    settings({ adapter, isBundle }),
    // After the settings it reads. Astro runs an adapter's hooks only if the project itself lists it.
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
      'astro:config:setup'({ command, config, updateConfig }) {
        if (command === 'build' && ASTRO_SERVICES.test(config.image.service.entrypoint))
          updateConfig({ image: { service: { entrypoint: fileURLToPath(PICTURES) } } })
        updateConfig({
          adapter,
          output: 'server',
          trailingSlash: 'never',
          session: false,
          // One of the site's own pages has the address of another.
          prerenderConflictBehavior: 'error',
          build: { format: 'file', inlineStylesheets: 'never' },
          devToolbar: { enabled: false },
          // The server in front of Astro checks the origin of every unsafe request, and sends the policy (src/server).
          security: { checkOrigin: false, csp: false },
          vite: {
            plugins: [tailwindcss(), serverEntry({ isBundle }), featuresFromSource(), namedMarkdown()],
            build: {
              // dist/ also contains the bundles of publishes.
              emptyOutDir: false,
              assetsInlineLimit: 0,
              rolldownOptions: { output: { assetFileNames: nameAsset } },
            },
            ssr: { noExternal: ['signpost', /signpost-look-/] },
          },
        })
      },
      'astro:config:done'({ config }) {
        refuseSettings(config)
      },
    },
  }
}
