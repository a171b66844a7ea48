import { isReachable } from '../lib/reachable.ts'

/** Twilio reports deliveries and posts replies to these paths. For a dojo's own account, they end
 *  with the dojo's id. */
export const STATUS_PATH = '/api/sms/webhooks/status'
export const INCOMING_PATH = '/api/sms/webhooks/incoming'

/** Returns undefined if Twilio cannot reach this server. */
export function buildStatusUrl(publicUrl: string, dojoId?: string): string | undefined {
  const path = dojoId === undefined ? STATUS_PATH : `${STATUS_PATH}/${dojoId}`
  return isReachable(publicUrl) ? `${publicUrl}${path}` : undefined
}

/** Returns null if Twilio cannot reach this server. */
export const buildReplyUrl = (publicUrl: string, dojoId: string): string | null =>
  isReachable(publicUrl) ? `${publicUrl}${INCOMING_PATH}/${dojoId}` : null
