import { type AstroComponentFactory, createComponent } from 'astro/runtime/server/index.js'

// By page. Making the object that holds them takes longer than a small component.
const knownLocals = new WeakMap<object, App.Locals>()

/** Returns a component that renders the version of the page's look, or else the original. */
export function chooseByLook(
  original: AstroComponentFactory,
  looks: Readonly<Record<string, AstroComponentFactory>>,
): AstroComponentFactory {
  return createComponent((result, props, slots) => {
    const locals =
      knownLocals.get(result) ?? (result.createAstro(props, slots) as { locals: App.Locals }).locals
    knownLocals.set(result, locals)
    return (looks[locals.look ?? ''] ?? original)(result, props, slots)
  }, original.moduleId)
}
