import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call } from '../lib/api.ts'
import {
  hasPushPermission,
  pushOwner,
  pushSupport,
  subscribeBrowser,
  unsubscribeBrowser,
} from '../lib/push.ts'

/** Renews the subscription, because each login needs its own. Turns off push if it was on for
 *  another account. */
export async function renewPush(accountId: string): Promise<void> {
  if (pushOwner() !== accountId) return unsubscribeBrowser()
  if (pushSupport() !== 'ready' || !hasPushPermission()) return undefined
  const { public_key } = await call(notificationsApi.push)
  await call(notificationsApi.subscribe, { body: await subscribeBrowser(public_key, accountId) })
  return undefined
}
