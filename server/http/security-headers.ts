import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'

/** Scripts come from us and are unchanged; styles may be injected, since the component library does so. Text becomes markup or a script's
 *  address only through the page's own policy of Trusted Types (web/head.html), which passes hardly anything. */
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

/** Helmet's settings for pages with these inline scripts. No upgrade to https: a dojo may well run this on its own network, without a
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

/** What of `pageHeaders` protects JSON, as OWASP's REST Security Cheat Sheet lists it; the rest tells a browser how to treat a document. */
export const callHeaders = (pageHeaders: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(HEADERS_OF_CALLS.map((name) => [name, pageHeaders[name]!])),
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
})

/** The headers that helmet sets. They are the same for every page, so it is asked once. */
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
/** For a browser that has come over https: not to come otherwise for a year. */
export const STRICT_TRANSPORT_SECURITY = { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }

/** Says whether a visitor's request came over https: as a trusted proxy says, or, where none says anything, because it asks for the host of
 *  an https `publicUrl`, which a proxy has to stand in front of. Over plain http a browser must not be given HSTS (RFC 6797, section 7.2). */
export function detectHttps(publicUrl: string): (request: FastifyRequest) => boolean {
  const { protocol, host } = new URL(publicUrl)
  const secureHost = protocol === 'https:' ? host : undefined
  return (request) =>
    request.protocol === 'https' ||
    (request.headers['x-forwarded-proto'] === undefined &&
      request.host.toLowerCase() === secureHost)
}
