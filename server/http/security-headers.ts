import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** Scripts come from us and are unchanged; styles may be injected, since the component library does so. */
const policy = (scriptHashes: string[]) => ({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'", ...new Set(scriptHashes)],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
})

/** Helmet's settings for pages with these inline scripts. No upgrade to https: a dojo may well run this on its own network, without a
 *  certificate. */
export const helmetOptions = (scriptHashes: string[]) => ({
  contentSecurityPolicy: { useDefaults: false, directives: policy(scriptHashes) },
  strictTransportSecurity: { includeSubDomains: false },
  xFrameOptions: { action: 'deny' as const },
})

const HEADERS_OF_CALLS = [
  'strict-transport-security',
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
  const response = { setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value), removeHeader: () => {} }
  helmet(helmetOptions(scriptHashes))({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw new Error('Helmet refuses its settings', { cause: error })
  })
  return headers
}
