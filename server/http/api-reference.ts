import type { Endpoint } from '@tatami/contract/lib/endpoint'
import type { FastifyInstance } from 'fastify'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { escapeHtml } from '../lib/html.ts'
import {
  type Content,
  createOpenApiDocument,
  toOpenApiPath,
  describeRoles,
  describeNeededRights,
} from './openapi.ts'

type Calls = Record<string, Record<string, Endpoint>>
type Document = Awaited<ReturnType<typeof createOpenApiDocument>>

const formatJsonBlock = (value: unknown) =>
  `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
const renderDetails = (title: string, value: unknown) =>
  value === undefined
    ? ''
    : `<details><summary>${title}</summary>${formatJsonBlock(value)}</details>`
const getFirstContent = (message?: { content: Content }) =>
  message && Object.values(message.content)[0]

function renderCall(endpoint: Endpoint, { paths }: Document) {
  const { parameters, requestBody, responses } = mustExist(
    paths[toOpenApiPath(endpoint)]?.[endpoint.method.toLowerCase()],
    endpoint.path,
  )
  const queryNames = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `<code>${name}</code>`)
  const request = getFirstContent(requestBody)
  return [
    `<article><h3><b>${endpoint.method}</b> /api${escapeHtml(endpoint.path)}</h3>`,
    `<p>${escapeHtml(endpoint.summary)}. For: ${describeRoles(endpoint)}.
${escapeHtml(describeNeededRights(endpoint))}</p>`,
    queryNames.length > 0 ? `<p>Query: ${queryNames.join(', ')}</p>` : '',
    renderDetails('Example', request?.example),
    renderDetails('Request', request?.schema),
    renderDetails('Reply', getFirstContent(responses[200])?.schema),
    '</article>',
  ].join('')
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h3 {
  font: 600 1rem/1.4 ui-monospace, monospace; margin: 1.5rem 0 0; overflow-wrap: anywhere
}
b { color: #7c3aed }
p { margin: .25rem 0 }
@media (prefers-color-scheme: dark) { b { color: #a78bfa } }
pre { overflow: auto; padding: 1rem; border: 1px solid #8884; border-radius: 8px }
summary { cursor: pointer }
`

function renderPage(api: Calls, document: Document) {
  const sections = Object.entries(api).map(([module, calls]) => {
    const articles = Object.values(calls).map((endpoint) => renderCall(endpoint, document))
    return `<section><h2>${module}</h2>${articles.join('\n')}</section>`
  })
  return `<!doctype html><html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tatami API</title>
<style>${STYLE}</style>
</head>
<body><main><h1>Tatami API</h1>
<p>${escapeHtml(document.info.description)} For machines:
<a href="/api/openapi.json">openapi.json</a>.</p>
${sections.join('\n')}</main></body></html>`
}

/** Serves `GET /api/openapi.json` and `GET /api/docs`. Both are generated at the first request. */
export function registerApiReference(http: FastifyInstance, api: Calls): void {
  let reference: ReturnType<typeof generateReference> | undefined
  async function generateReference() {
    const document = await createOpenApiDocument(api)
    return { json: JSON.stringify(document), html: renderPage(api, document) }
  }
  const getReference = () => (reference ??= generateReference())
  http.get('/api/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send((await getReference()).json),
  )
  http.get('/api/docs', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send((await getReference()).html),
  )
}
