import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import type { OwnPage } from './own-page.ts'

/** A route with placeholders, such as `/jobs/[...slug]`. */
interface Route {
  /** Its file. */
  component: string
  segments: readonly (readonly Placeholder[])[]
}

/** A placeholder in a file's name, or text beside it. */
interface Placeholder {
  content: string
  dynamic: boolean
  spread: boolean
}

// Names of files that the server finds by their address.
const PART = /^[^./\\?#\p{Cc}][^/\\?#\p{Cc}]*$/u

/**
 * Returns the pages of what a route's `getStaticPaths` returned. Throws if that isn't a list of params, if one of the
 * params can't be part of an address, or if two pages have the same address.
 */
export function readStaticPaths(route: Route, returned: unknown): OwnPage[] {
  const file = route.component
  if (!Array.isArray(returned)) throw new Failure(ownPageFailures, 'pathsInvalid', file)
  const known = new Set<string>()
  return returned.map((one) => {
    const { params, props = {} } = one ?? {}
    if (typeof params !== 'object' || params === null)
      throw new Failure(ownPageFailures, 'pathsInvalid', file)
    const path = pathOf(route, params)
    if (known.has(path)) throw new Failure(ownPageFailures, 'pathTwice', file, path)
    known.add(path)
    return { path, file, props }
  })
}

// `/jobs/[...slug]` with the slug `2026/roof` is `/jobs/2026/roof`, and without a slug `/jobs`.
function pathOf({ component, segments }: Route, params: Readonly<Record<string, unknown>>): string {
  const textOf = ({ content, dynamic, spread }: Placeholder) => {
    if (!dynamic) return content
    const name = content.replace(/^\.{3}/, '')
    const value = String(params[name] ?? '')
    if (!(spread ? value === '' || value.split('/').every(isPart) : isPart(value)))
      throw new Failure(ownPageFailures, 'paramInvalid', component, name, value)
    return value
  }
  const parts = segments.map((segment) => segment.map(textOf).join(''))
  return `/${parts.filter((part) => part !== '').join('/')}`
}

function isPart(text: string): boolean {
  return PART.test(text)
}
