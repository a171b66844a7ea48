import type { IncomingMessage, ServerResponse } from 'node:http'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'

/** Only our own, unchanged scripts may run. Inline styles are allowed, because the component
 *  library injects them. Trusted Types (web/head.html) restrict how text becomes markup. */
const policy = (scriptHashes: string[]) => ({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'", ...new Set(scriptHashes)],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  objectSrc: ["'none'"],
  frameSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ['default'],
})

/** Does not make browsers use https, because a dojo may run Tatami on its own network without a
 *  certificate. */
export const helmetOptions = (scriptHashes: string[]) => ({
  contentSecurityPolicy: { useDefaults: false, directives: policy(scriptHashes) },
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' as const },
})

const HEADERS_OF_CALLS = [
  'x-content-type-options',
  'x-frame-options',
  'cross-origin-resource-policy',
  'referrer-policy',
]

/** The headers that protect JSON replies (OWASP REST Security Cheat Sheet): some of those of a
 *  page, and a stricter policy. */
export const callHeaders = (pageHeaders: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    HEADERS_OF_CALLS.map((name) => [name, mustExist(pageHeaders[name], `The header ${name}`)]),
  ),
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
})

/** Computes the headers once, since all pages have the same. */
export function securityHeaders(scriptHashes: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  helmet(helmetOptions(scriptHashes))(
    {} as IncomingMessage,
    response as unknown as ServerResponse,
    (error?: unknown) => {
      if (error) throw new Error('Helmet does not accept its settings', { cause: error })
    },
  )
  return headers
}

const YEAR_SECONDS = 31_536_000
/** A browser that has used https once keeps using it for a year. */
export const STRICT_TRANSPORT_SECURITY = { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }

/** True if the request came over https. A trusted proxy says so in a header. Without a proxy, the
 *  host is compared with that of an https `publicUrl`. A reply over plain http must not have the
 *  header above (RFC 6797, section 7.2). */
export function detectHttps(publicUrl: string): (request: FastifyRequest) => boolean {
  const { protocol, host } = new URL(publicUrl)
  const secureHost = protocol === 'https:' ? host : undefined
  return (request) =>
    request.protocol === 'https' ||
    (request.headers['x-forwarded-proto'] === undefined &&
      request.host.toLowerCase() === secureHost)
}
