import grotesque from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2?url'
import slab from '@fontsource/zilla-slab/files/zilla-slab-latin-700-normal.woff2?url'
import text from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import type { LayoutView } from '#src/site/pages/layout-view.ts'

/** Files to preload for each pair of fonts; src/styles/site/fonts.css refers to the same files. */
export const FONT_FILES: Record<LayoutView['theme']['fonts'], readonly string[]> = {
  grotesque: [grotesque, text],
  slab: [slab, text],
  system: [],
}
