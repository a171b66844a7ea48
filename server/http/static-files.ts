import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { StartupError } from '../lib/startup-error.ts'
import {
  selectApiHeaders,
  detectHttps,
  createSecurityHeaders,
  STRICT_TRANSPORT_SECURITY,
} from './security-headers.ts'

const LANDING_PAGE = 'index.html'
const LOGIN_PAGE = 'login.html'
const SIGNING_PAGE = 'sign.html'
const APP_PAGE = 'app.html'
const CACHE_FOR_A_YEAR = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'

/** Assets do not get the headers of pages, which would have no effect and cost bandwidth. */
const ASSETS = '/assets/:name'

const INLINE_SCRIPT = /<script>([^]*?)<\/script>/g

/** The hashes by which the Content-Security-Policy allows our inline scripts. */
export const hashScripts = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/** Only the kiosk may use the camera, with which it reads check-in codes. */
const createPermissionsPolicy = (path: string) =>
  `camera=${path === '/kiosk' ? '(self)' : '()'}, geolocation=(), microphone=()`

const removeQuery = (url: string) => url.replace(/\?.*/s, '')

/** True for a path outside /api and /assets whose last part has no file extension. */
const isPage = (path: string) => !/^\/(api|assets)(\/|$)|\.[^/]*$/.test(path)

/** Serves the landing page at `/`, the login page at `/login`, the page for signing at `/sign`, and
 *  the app at other paths. Adds the security headers to all responses. Files with a hash in their
 *  name are cached forever. */
export async function registerStaticFiles(
  http: FastifyInstance,
  root: string,
  publicUrl: string,
): Promise<void> {
  if (!existsSync(join(root, LANDING_PAGE)))
    throw new StartupError(
      `The web app is not built: ${join(root, LANDING_PAGE)} is missing. Run "npm run build".`,
    )
  const hashes = [LANDING_PAGE, LOGIN_PAGE, SIGNING_PAGE, APP_PAGE].flatMap((page) =>
    hashScripts(readFileSync(join(root, page), 'utf8')),
  )
  const headers = createSecurityHeaders(hashes)
  const jsonHeaders = selectApiHeaders(headers)
  const isOverHttps = detectHttps(publicUrl)
  http.addHook('onRequest', (request, reply, callback) => {
    const { url, config } = request.routeOptions
    const isDocument = !config.isCall && url !== ASSETS
    void reply.headers(isDocument ? headers : jsonHeaders)
    if (isDocument)
      void reply.header('permissions-policy', createPermissionsPolicy(removeQuery(request.url)))
    if (isOverHttps(request)) void reply.headers(STRICT_TRANSPORT_SECURITY)
    callback()
  })
  await http.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      void reply.header(
        'cache-control',
        path.startsWith(join(root, 'assets', '/')) ? CACHE_FOR_A_YEAR : REVALIDATE,
      ),
  })
  const files = new Set(
    readdirSync(root, { withFileTypes: true })
      .filter((file) => file.isFile() && !/\.(html|br|gz)$/.test(file.name))
      .map(({ name }) => name),
  )
  http.get('/', (_, reply) => reply.sendFile(LANDING_PAGE))
  http.get('/login', (_, reply) => reply.sendFile(LOGIN_PAGE))
  http.get('/sign', (_, reply) => reply.sendFile(SIGNING_PAGE))
  http.get(ASSETS, (request, reply) =>
    reply.sendFile(`assets/${(request.params as { name: string }).name}`),
  )
  http.get('/*', (request, reply) => {
    const path = removeQuery(request.url)
    if (isPage(path)) return reply.sendFile(APP_PAGE)
    return files.has(path.slice(1)) ? reply.sendFile(path.slice(1)) : reply.callNotFound()
  })
}
