import { createHash } from 'node:crypto'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import { plainDocument } from '../plain-pages/plain-page.ts'

const REFRESH_SECONDS = 5

const STYLE = `:root{color-scheme:light dark;background:#fff;color:#18202a;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:80rem;padding:1.5rem;box-sizing:border-box;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}h2{margin:1.5rem 0 .5rem;font-size:1.15rem}
a{color:inherit}ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #8884;padding:.6rem 0}
[role=status]{border:1px solid #8884;border-radius:.4rem;padding:.6rem .8rem}[role=status] p{margin:0;font-weight:600}
.steps{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}.steps a{padding:.3rem 0}.steps span{padding:.3rem 0}
li a{display:inline-block;margin-right:1rem;padding:.3rem 0}
form{display:grid;gap:1rem;max-width:30rem}label{display:grid;gap:.25rem}
input,textarea,button{font:inherit;padding:.6rem;border:1px solid #777;border-radius:.4rem;background:transparent;color:inherit}
button{background:#1d4ed8;border-color:#1d4ed8;color:#fff;cursor:pointer}
form button+button{background:transparent;border-color:#777;color:inherit}
.edits dl{margin:.3rem 0 0}.edits p{margin:.3rem 0 0}.edits dt{font-size:.9rem}.edits dd{margin:0 0 .6rem;white-space:pre-line}
summary{cursor:pointer;padding:.6rem 0;font-weight:600}main>details{border-block:1px solid #8884;margin-top:1rem}
dd summary{font-size:.9rem;font-weight:400;padding:.3rem 0}h3{margin:.8rem 0 .3rem;font-size:1rem}
.edits img{display:block;max-width:12rem;max-height:9rem;border-radius:.4rem}:is(ins,del):has(>img){display:inline-block;padding:.3rem;vertical-align:top}
del:has(>img){opacity:.6}del+ins{margin-left:.25rem}ins,del{padding:.05rem .2rem;border-radius:.2rem}ins{background:#16a34a2e;text-decoration:underline}del{background:#dc26262e}
.word{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[role=status] .note{white-space:pre-line;font-weight:400}
fieldset{border:0;margin:0 0 1rem;padding:0}legend{margin-bottom:.4rem}
fieldset label{display:inline-flex;align-items:center;gap:.5rem;margin-right:1.5rem;padding:.4rem 0}
fieldset input{width:1.3rem;height:1.3rem;margin:0}
figure{margin:0}figcaption{padding:.3rem 0}iframe{width:100%;height:80vh;border:1px solid #8884;border-radius:.4rem;background:#fff}
@media(min-width:56rem){.frames{display:grid;gap:1rem;grid-template-columns:1fr 1fr}fieldset{display:none}}
@media(max-width:55.99rem){main:has(#show-old:checked) .new,main:has(#show-new:checked) .old{display:none}}
[role=alert]{color:#b91c1c}
@media(prefers-color-scheme:dark){:root{background:#101418;color:#e8ecf1}[role=alert]{color:#fca5a5}}`

/** Allows the style of these pages, their form, pictures, and frames of this site. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns a page of a preview; both parts are HTML. */
export function previewDocument(title: string, main: string): string {
  return plainDocument({ title, style: STYLE, main })
}

/** Returns the page of a preview in progress. It reloads itself. */
export function makingPage(): string {
  const main = `<p>${texts.makingText}</p>`
  return plainDocument({ title: texts.making, style: STYLE, refreshAfter: REFRESH_SECONDS, main })
}

/** Returns a page of a heading and a sentence. */
export function saidPage(title: string, text: string): string {
  return previewDocument(title, `<p>${text}</p>`)
}
