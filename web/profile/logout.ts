import { profileApi } from '@tatami/contract/profile'
import { call } from '../lib/api.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { drafts } from '../lib/drafts.ts'
import { pushOwner, unsubscribeBrowser } from '../lib/push.ts'
import { stopReading } from '../lib/query.ts'
import { session } from '../lib/session.ts'

/** The server has forgotten this browser's subscription with the session; its own end may be far away. */
const UNSUBSCRIBE_TIMEOUT_MS = 1_000

/** Leaves in any case: a token that could not be revoked now is still forgotten here. Only whoever has something unsaved may choose to
 *  stay, and is answered false. */
export async function logout(): Promise<boolean> {
  if (!session.isAllSaved() && !window.confirm('Some changes are not saved yet. Log out and lose them?')) return false
  await stopReading()
  await call(profileApi.logout).catch(() => {})
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, UNSUBSCRIBE_TIMEOUT_MS)
  })
  if (pushOwner() !== null) await Promise.race([unsubscribeBrowser().catch(() => {}), timeout])
  drafts.clear()
  deviceStorage.clear()
  session.leaveTo('/')
  return true
}
