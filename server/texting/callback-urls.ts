import { isReachable } from '../lib/reachable.ts'

/** Where Twilio reports deliveries and posts replies. A dojo's own account adds the dojo's id. */
export const STATUS_PATH = '/api/sms/webhooks/status'
export const INCOMING_PATH = '/api/sms/webhooks/incoming'

/** Undefined if Twilio cannot reach this server. */
export function buildStatusUrl(publicUrl: string, dojoId?: string): string | undefined {
  const path = dojoId === undefined ? STATUS_PATH : `${STATUS_PATH}/${dojoId}`
  return isReachable(publicUrl) ? `${publicUrl}${path}` : undefined
}

/** Null if Twilio cannot reach this server. */
export const buildReplyUrl = (publicUrl: string, dojoId: string): string | null =>
  isReachable(publicUrl) ? `${publicUrl}${INCOMING_PATH}/${dojoId}` : null
