import { notificationsApi } from '@tatami/contract/notifications'
import { call } from '../lib/api.ts'
import { isPermitted, pushOwner, pushSupport, subscribeBrowser, unsubscribeBrowser } from '../lib/push.ts'

/** After a new sign-in the session is another, and browsers change their addresses: what somebody turned on here stays on for them,
 *  and for nobody else. */
export async function renewPush(accountId: string): Promise<void> {
  if (pushOwner() !== accountId) return unsubscribeBrowser()
  if (pushSupport() !== 'ready' || !isPermitted()) return undefined
  const { public_key } = await call(notificationsApi.push)
  await call(notificationsApi.subscribe, { body: await subscribeBrowser(public_key, accountId) })
  return undefined
}
