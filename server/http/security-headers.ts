import type { IncomingMessage, ServerResponse } from 'node:http'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'

/** The component library needs inline styles. Trusted Types (web/head.html) restrict markup. */
const createPolicy = (scriptHashes: string[]) => ({
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

/** Does not force https, because a dojo may run Tatami on its own network without a certificate. */
export const createHelmetOptions = (scriptHashes: string[]) => ({
  contentSecurityPolicy: { useDefaults: false, directives: createPolicy(scriptHashes) },
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' as const },
})

const API_RESPONSE_HEADERS = [
  'x-content-type-options',
  'x-frame-options',
  'cross-origin-resource-policy',
  'referrer-policy',
]

/** API replies get fewer headers and a stricter policy (OWASP REST Security Cheat Sheet). */
export const selectApiHeaders = (pageHeaders: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    API_RESPONSE_HEADERS.map((name) => [name, mustExist(pageHeaders[name], `The header ${name}`)]),
  ),
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
})

export function createSecurityHeaders(scriptHashes: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  helmet(createHelmetOptions(scriptHashes))(
    {} as IncomingMessage,
    response as unknown as ServerResponse,
    (error?: unknown) => {
      if (error) throw new Error('Helmet does not accept its settings', { cause: error })
    },
  )
  return headers
}

const YEAR_SECONDS = 31_536_000
/** A browser that has used https once uses only https for a year. */
export const STRICT_TRANSPORT_SECURITY = { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }

/** A request is over https if a trusted proxy says so, or if its host is the host of an https
 *  `publicUrl`. Over plain http, the header above is forbidden (RFC 6797, section 7.2). */
export function detectHttps(publicUrl: string): (request: FastifyRequest) => boolean {
  const { protocol, host } = new URL(publicUrl)
  const secureHost = protocol === 'https:' ? host : undefined
  return (request) =>
    request.protocol === 'https' ||
    (request.headers['x-forwarded-proto'] === undefined &&
      request.host.toLowerCase() === secureHost)
}
