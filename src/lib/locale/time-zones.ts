import { machineTimeZone } from './locale.ts'

/**
 * Returns the time zone of a country, or of this machine if it is one of several there; undefined if neither is known.
 */
export function findTimeZone(country: string, machine = machineTimeZone()): string | undefined {
  const zones = zonesOf(country)
  return zones.length === 1 ? zones[0] : zones.find((zone) => zone === machine)
}

function zonesOf(country: string): readonly string[] {
  return new Intl.Locale(`und-${country}`).getTimeZones() ?? []
}
