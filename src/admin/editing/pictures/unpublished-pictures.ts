/** A page with its pictures from the library: their files are on the site only after a publish. */
export function withUnpublishedPictures(html: string): string {
  return html.replaceAll('/_astro/picture-', '/admin/pictures/variants/picture-')
}
