import { fileURLToPath } from 'node:url'

/** Holds the program's own files: this repository, or `node_modules/signpost/package` below a site. No `/` at the end. */
export const PROGRAM_DIR = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')

/** True if a site has the program as a package; false in the program's repository, which is its own site. */
export const IS_INSTALLED = /[\\/]node_modules[\\/]/.test(PROGRAM_DIR)

/** Holds `astro.config.mjs`, `dist/`, and the site's own `src/`. Commands of a package run in the folder of the site. */
export const SITE_DIR = IS_INSTALLED ? process.cwd() : PROGRAM_DIR
