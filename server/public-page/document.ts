import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Language } from '@tatami/contract/public-page/public-page'
import type { FastifyReply } from 'fastify'
import { acceptsGzip } from '../http/compression.ts'
import { escapeHtml } from '../lib/html.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #24201b; --dim: #5f584f; --paper: #faf7f2; --card: #fff;
  --line: #ddd6cc; --field: #857d73; --good: #e3f4e6; --warn: #fdf0d5; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #f3efe9; --dim: #b8b0a6; --paper: #17140f;
  --card: #221e18; --line: #3d372e; --field: #8d857a; --good: #16341f; --warn: #40320f;
  --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1.0625rem/1.5 system-ui, sans-serif }
main, header, footer { max-width: 40rem; margin: 0 auto; padding: 1rem 1.25rem }
header { display: flex; align-items: center; gap: .75rem }
header a { display: flex; align-items: center; gap: .75rem; color: inherit; font-weight: 700;
  text-decoration: none; min-height: 2.75rem }
header img { height: 3rem; width: auto; max-width: 6rem; border-radius: 8px; background: #fff }
h1, h2, h3 { text-wrap: balance }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .5rem 0 1rem }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
p { margin: .5rem 0 } ul { list-style: none; margin: 0; padding: 0 }
.pre { white-space: pre-line }
.rows li { border-top: 1px solid var(--line) }
.rows li > :is(div, a) { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: .7rem 0;
  color: inherit; min-height: 2.75rem; align-items: baseline }
.rows a { text-decoration: none } .rows a:hover b { text-decoration: underline }
.rows b { flex: 1 1 10rem } .rows time { font-size: .9375rem; white-space: nowrap }
.rows :is(a b, .next) { flex-basis: 100% } .off b, .off time { text-decoration: line-through }
.dim, small, footer { color: var(--dim) } footer { font-size: .875rem; padding-bottom: 2rem }
.button, button { display: inline-block; min-height: 3rem; padding: .7rem 1.5rem; border: 0;
  border-radius: 10px; background: var(--school); color: #fff; font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; text-align: center }
p > .button { margin-top: .5rem }
button.plain { background: none; color: inherit; border: 1px solid var(--field) }
:is(a, button, input, select):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
a { color: inherit }
a[aria-current] { font-weight: 700; text-decoration: none }
.links a { display: inline-block; padding: .5rem 1rem .5rem 0 }
.note { padding: .75rem 1rem; border-radius: 10px; margin: 0 0 1rem; background: var(--warn) }
.good { background: var(--good) }
label, legend { display: block; font-weight: 600; margin-top: 1rem }
legend { padding: 0 } fieldset { border: 0; margin: 1rem 0 0; padding: 0 }
input:not([type=checkbox], [type=radio]) { width: 100%; min-height: 3rem; padding: .5rem .75rem;
  border: 1px solid var(--field); border-radius: 10px; background: var(--card); color: inherit;
  font: inherit }
.check { display: flex; gap: .75rem; font-weight: 400; align-items: flex-start }
.check input { width: 1.5rem; height: 1.5rem; flex: none; margin: 0 }
.error { color: var(--bad); font-weight: 600; margin: .25rem 0 0 }
.photos { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem; margin: 1rem 0 }
.photos a { display: block } .photos img { display: block; width: 100%; height: auto;
  aspect-ratio: 4 / 3; object-fit: cover; border-radius: 8px; background: var(--line) }
.trap { position: absolute; left: -99rem }
form button { margin-top: 1.5rem }
@media (min-width: 24rem) { .rows li > div { display: grid; grid-template-columns: 10rem 1fr }
  .rows div span { grid-column: 2 } }
@media (max-width: 30rem) { .button, button { width: 100% } }`

/** Hides the time zone from readers who are in it, and tells a frame how high the page is. */
const SCRIPT = `for (const note of document.querySelectorAll('[data-zone]'))
  note.hidden = Intl.DateTimeFormat().resolvedOptions().timeZone === note.dataset.zone
if (parent !== window) {
  const send = () =>
    parent.postMessage({ tatamiHeight: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(send).observe(document.documentElement)
}`
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')

const DEFAULT_COLOR = '#7c3aed'

export type School = {
  name: string
  color: string | null
  logo: string | null
}

export type Document = {
  language: Language
  title: string
  school: School | null
  /** The address of the school's page, for its name at the top. Frames have no header. */
  home: string | null
  /** HTML for the head, such as the address for search engines. Without it, no engine lists it. */
  head?: string
  /** HTML */
  body: string
  /** HTML */
  footer?: string
}

const NO_INDEX = '<meta name="robots" content="noindex">'

function renderHeader({ school, home }: Document): string {
  if (!school || home === null) return ''
  const image = school.logo === null ? '' : `<img src="${escapeHtml(school.logo)}" alt="">`
  return `<header><a href="${escapeHtml(home)}">${image}${escapeHtml(school.name)}</a></header>`
}

export const renderDocument = (document: Document): string => `<!doctype html>
<html lang="${document.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.title)}</title>
${document.head ?? NO_INDEX}
<style>${STYLE}
:root { --school: ${document.school?.color ?? DEFAULT_COLOR} }</style>
</head>
<body>
${renderHeader(document)}
<main>${document.body}</main>
${document.footer === undefined ? '' : `<footer>${document.footer}</footer>`}
<script>${SCRIPT}</script>
</body>
</html>`

/** `frameAncestors` are the sites that may show the page in a frame. Only pages without secrets may
 *  be compressed, because the length of a compressed page can tell them. */
export function sendDocument(
  reply: FastifyReply,
  html: string,
  { status = 200, frameAncestors = "'none'", isCompressible = false } = {},
): FastifyReply {
  const isCompressed = isCompressible && acceptsGzip(reply.request)
  if (isCompressed) void reply.header('content-encoding', 'gzip')
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${SCRIPT_HASH}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ]
  if (frameAncestors !== "'none'") void reply.removeHeader('x-frame-options')
  return reply
    .status(status)
    .headers({
      'content-security-policy': policy.join(';'),
      'cache-control': 'no-cache',
      vary: 'accept-language, accept-encoding',
    })
    .type('text/html; charset=utf-8')
    .send(isCompressed ? gzipSync(html) : html)
}
