/** Returns a section's name in settings and content files: `seasonal_offer` for `SeasonalOffer`. */
export function sectionName(component: string): string {
  return component.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
}
