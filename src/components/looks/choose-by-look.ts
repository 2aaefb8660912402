import { type AstroComponentFactory, createComponent } from 'astro/runtime/server/index.js'

/** Returns a component that renders the version of the page's look, or else the original. */
export function chooseByLook(
  original: AstroComponentFactory,
  looks: Readonly<Record<string, AstroComponentFactory>>,
): AstroComponentFactory {
  return createComponent((result, props, slots) => {
    const { locals } = result.createAstro(props, slots) as { locals: App.Locals }
    return (looks[locals.look ?? ''] ?? original)(result, props, slots)
  }, original.moduleId)
}
