import type { ExternalImageService } from 'astro'
import noop from 'astro/assets/services/noop'

const { getHTMLAttributes, validateOptions } = noop

/**
 * The image service of published pages: shows pictures of `astro:assets` as their files are. Astro's own would need a
 * server that resizes them at each request.
 */
const originalPictures: ExternalImageService = {
  ...(getHTMLAttributes && { getHTMLAttributes }),
  ...(validateOptions && { validateOptions }),
  getSrcSet({ widths, ...options }) {
    const { src } = options
    // `<Picture>` and responsive pictures need a candidate.
    return widths && typeof src !== 'string' ? [{ transform: options, descriptor: `${src.width}w` }] : []
  },
  getURL: ({ src }) => (typeof src === 'string' ? src : src.src),
}

export default originalPictures
