import type { Db } from '../../db/schema.ts'
import { listScopeKeys } from './load-report.ts'
import { type Figures, listCountedPlaces, listServiceSums, NO_FIGURES, plus } from './report-store.ts'
import { idOfKey, keyOfId } from './result-keys.ts'

interface CellQuery {
  period: string
  scope: Parameters<typeof listScopeKeys>[1]['scope']
  serviceIds: readonly number[]
  /** Rows of a matrix: each with its place and the places below that count toward it. */
  rows: readonly { placeId: number; below: readonly number[] }[]
}

/** Returns the results of each service in a row's places, by `cellKey`. Cells without results are missing. */
export async function loadCellFigures(
  db: Db,
  { period, scope, serviceIds, rows }: CellQuery,
): Promise<Map<string, Figures>> {
  const rowsOf = new Map<number, number[]>()
  for (const { placeId, below } of rows)
    for (const id of [placeId, ...below]) rowsOf.set(id, [...(rowsOf.get(id) ?? []), placeId])
  const counted = (await listScopeKeys(db, { period, scope })) ?? (await listCountedPlaces(db, period))
  const places = counted.filter((key) => rowsOf.has(idOfKey(key) ?? 0))
  const cells = new Map<string, Figures>()
  const services = serviceIds.map(keyOfId)
  for (const { service, place, ...figures } of await listServiceSums(db, { period, services, places })) {
    for (const placeId of rowsOf.get(idOfKey(place) ?? 0) ?? []) {
      const key = cellKey(idOfKey(service) ?? 0, placeId)
      cells.set(key, plus(cells.get(key) ?? NO_FIGURES, figures))
    }
  }
  return cells
}

/** Returns the key of a service in a row's place. */
export function cellKey(serviceId: number, placeId: number): string {
  return `${serviceId} ${placeId}`
}
