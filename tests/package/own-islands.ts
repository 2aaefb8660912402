import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { openBrowser, openPage } from '../support/browser.ts'
import { OWN_PAGES } from './own-pages.ts'

/** Packages of the islands that are not in every made site, and those of `astro check`. */
export const MORE_PACKAGES = [
  ...['@astrojs/react@7.0.0', 'react@19.3.1', 'react-dom@19.3.1'],
  ...['@astrojs/vue@7.0.3', 'vue@3.5.45', '@astrojs/svelte@9.0.1', 'svelte@5.57.3'],
  ...['@astrojs/check@0.9.10', 'typescript@6.0.3'],
]

const JOBS = 'src/pages/jobs/index.astro'

/** Integrations of frameworks with their options. Two that read JSX divide the files. */
export const FRAMEWORKS = {
  preact: "{ include: ['**/Counter.jsx'] }",
  react: "{ include: ['**/Stars.jsx'] }",
  vue: '',
  svelte: '',
}

/** Islands of React, Vue, and Svelte on the page that has one of Preact. */
export const OWN_ISLANDS: Readonly<Record<string, string>> = {
  'src/components/Stars.jsx': `import { useState } from 'react'

export default function Stars() {
  const [stars, setStars] = useState(0)
  return <button onClick={() => setStars(stars + 1)}>Starred {stars} times</button>
}
`,
  'src/components/Likes.vue': `<script setup>
import { ref } from 'vue'

const likes = ref(0)
</script>

<template>
  <button @click="likes++">Liked {{ likes }} times</button>
</template>
`,
  'src/components/Shares.svelte': `<script>
  let shares = $state(0)
</script>

<button onclick={() => (shares += 1)}>Shared {shares} times</button>
`,
  [JOBS]: String(OWN_PAGES[JOBS])
    .replace(
      '\nconst',
      "import Likes from '../../components/Likes.vue'\nimport Shares from '../../components/Shares.svelte'\nimport Stars from '../../components/Stars.jsx'\n\nconst",
    )
    .replace(
      '<Counter client:load />',
      '<Counter client:load />\n  <Likes client:load />\n  <Shares client:visible />\n  <Stars client:load />',
    ),
}

/** Checks that islands of four frameworks run on a page of a site. */
export async function checkOwnIslands(t: TestContext, { url }: { url: string }) {
  await t.test(
    'islands of Preact, React, Vue, and Svelte run under the Content Security Policy',
    async (t) => {
      const page = await openPage(t, await openBrowser(), {})
      const answer = await page.goto(`${url}/jobs`)
      assert.match(answer?.headers()['content-security-policy'] ?? '', /script-src 'self' 'sha256-/)
      for (const word of ['Clicked', 'Liked', 'Shared', 'Starred']) {
        // Without its code a button stays as it is.
        const isChanged = page.getByRole('button', { name: `${word} 1 times` }).waitFor()
        await page.locator('astro-island:not([ssr])', { hasText: word }).waitFor()
        await page.getByRole('button', { name: `${word} 0 times` }).click()
        await isChanged
      }
    },
  )
}
