/** Returns a page with pictures served from the library, because the site has their files only after a publish. */
export function withUnpublishedPictures(html: string): string {
  return html.replaceAll('/_astro/picture-', '/admin/pictures/variants/picture-')
}
