import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'

/** Only our unchanged scripts run; styles may be injected, as the component library does. Trusted
 *  Types (web/head.html) restrict how text becomes markup. */
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

/** Does not upgrade to https: a dojo may run this on its own network without a certificate. */
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

/** The part of `pageHeaders` that protects JSON (OWASP REST Security Cheat Sheet). */
export const callHeaders = (pageHeaders: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(HEADERS_OF_CALLS.map((name) => [name, pageHeaders[name]!])),
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
})

/** The same for every page, so helmet is asked once. */
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
      if (error) throw new Error('Helmet refuses its settings', { cause: error })
    },
  )
  return headers
}

const YEAR_SECONDS = 31_536_000
/** Browsers that came over https use only https for a year. */
export const STRICT_TRANSPORT_SECURITY = { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }

/** True if the request came over https: by a trusted proxy's header, or else because it asks for
 *  the host of an https `publicUrl`. Plain http must not be given HSTS (RFC 6797, section 7.2). */
export function detectHttps(publicUrl: string): (request: FastifyRequest) => boolean {
  const { protocol, host } = new URL(publicUrl)
  const secureHost = protocol === 'https:' ? host : undefined
  return (request) =>
    request.protocol === 'https' ||
    (request.headers['x-forwarded-proto'] === undefined &&
      request.host.toLowerCase() === secureHost)
}
