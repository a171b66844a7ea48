import { ECDH } from 'node:crypto'
import { Agent, request } from 'node:https'
import webPush from 'web-push'
import { publicLookup, refusePrivateAddress } from '../lib/public-address.ts'
import type { Push } from './push-claim.ts'
import type { PushKeys } from './push-keys.ts'
import { shownOnLockScreen } from './push-words.ts'

/** A push service keeps it this long for a phone that is switched off. */
const TTL_SECONDS = 24 * 3600
const PATIENCE_MS = 5_000
const SOCKETS = 20

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Buffer }
/** Hands a request to a push service and answers its status; fails when there is no answer. */
export type Post = (request: PushRequest) => Promise<number>

/** Encrypted for the one browser (RFC 8291) and signed by us (RFC 8292); null when its key is no key. `path` is what a tap opens. */
export function pushRequestOf(push: Push, path: string, subject: string, keys: PushKeys): PushRequest | null {
  const { endpoint, p256dh, auth } = push
  if (!isKey(p256dh)) return null
  const payload = JSON.stringify({ ...shownOnLockScreen(push), tag: push.notification_id, path })
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject, ...keys },
    TTL: TTL_SECONDS,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  })
  return { endpoint, headers, body }
}

/** Whether it is a point of the curve, not only of the right length. */
function isKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0
  } catch {
    return false
  }
}

/** Over https to public addresses alone, following nothing, reading nothing but the status. */
export function postOverHttps(lookup = publicLookup(), { ca }: { ca?: string } = {}): Post {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS, lookup, ...(ca && { ca }) })
  return ({ endpoint, headers, body }) =>
    new Promise((resolve, reject) => {
      refusePrivateAddress(new URL(endpoint).hostname)
      request(endpoint, { method: 'POST', headers, agent, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
        response.on('error', () => {}).resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end(body)
    })
}
