/** Returns how settings and content files name the section of a component: `seasonal_offer` of `SeasonalOffer`. */
export function sectionName(component: string): string {
  return component.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
}
