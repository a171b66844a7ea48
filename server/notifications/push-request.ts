import { ECDH } from 'node:crypto'
import { Agent, request } from 'node:https'
import webPush from 'web-push'
import { publicLookup, refusePrivateAddress } from '../lib/public-address.ts'
import type { Push } from './push-claim.ts'
import type { PushKeys } from './push-keys.ts'
import { toLockScreenText } from './lock-screen-text.ts'

const TTL_SECONDS = 24 * 3600
const TIMEOUT_MS = 5_000
const MAX_SOCKETS = 20

type PushRequest = { endpoint: string; headers: Record<string, string>; body: Buffer }
export type Post = (request: PushRequest) => Promise<number>

/** Encrypts (RFC 8291) and signs (RFC 8292) a push. Returns null for an invalid browser key. */
export function composePushRequest(
  push: Push,
  path: string,
  contact: string,
  keys: PushKeys,
): PushRequest | null {
  const { endpoint, p256dh, auth } = push
  if (!isPublicKey(p256dh)) return null
  const payload = JSON.stringify({
    ...toLockScreenText(push),
    tag: push.notification_id,
    path,
    unread: push.unread,
  })
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    {
      vapidDetails: { subject: contact, ...keys },
      TTL: TTL_SECONDS,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    },
  )
  return { endpoint, headers, body }
}

/** True if the key is a point on the curve P-256. */
function isPublicKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0
  } catch {
    return false
  }
}

/** Connects only to public addresses and does not follow redirects, because browsers send us the
 *  addresses. */
export function postOverHttps(lookup = publicLookup(), { ca }: { ca?: string } = {}): Post {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, lookup, ...(ca && { ca }) })
  return ({ endpoint, headers, body }) =>
    new Promise((resolve, reject) => {
      refusePrivateAddress(new URL(endpoint).hostname)
      request(
        endpoint,
        { method: 'POST', headers, agent, signal: AbortSignal.timeout(TIMEOUT_MS) },
        (response) => {
          response.on('error', () => {}).resume()
          resolve(response.statusCode ?? 0)
        },
      )
        .on('error', reject)
        .end(body)
    })
}
