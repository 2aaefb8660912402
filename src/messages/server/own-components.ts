/** Why a page with a site’s own components can’t be rendered. */
export const ownComponentFailures = {
  shownTooOften: (file: string, most: number, circle: string) =>
    `${file} appears on the page more than ${most} times. Check whether these components include each other: ${circle}`,
}
