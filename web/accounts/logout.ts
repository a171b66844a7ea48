import { profileApi } from '@tatami/contract/profile/profile'
import { call } from '../lib/api.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { drafts } from '../lib/drafts.ts'
import { pushOwner, setAppBadge, unsubscribeBrowser } from '../lib/push.ts'
import { stopReads } from '../lib/query.ts'
import { session } from '../lib/session.ts'

/** The user should not wait long while data is removed from the browser. */
const CLEANUP_TIMEOUT_MS = 1_000

const UNSAVED_QUESTION = 'Some changes aren’t saved yet. Log out and lose them?'
const loadDeviceData = () => import('../lib/device-data.ts')

/** Returns a question if something is not saved yet, or an empty text. */
async function findUnsavedQuestion(): Promise<string> {
  const marksQuestion = await loadDeviceData()
    .then(({ unsentMarksQuestion }) => unsentMarksQuestion())
    .catch(() => '')
  if (marksQuestion) return marksQuestion
  return session.isAllSaved() ? '' : UNSAVED_QUESTION
}

/** Opens `path`, even if the server cannot be reached. Returns false if the user cancels. */
export async function logout(path = '/'): Promise<boolean> {
  const question = await findUnsavedQuestion()
  if (question && !window.confirm(question)) return false
  await stopReads()
  await call(profileApi.logout).catch(() => {})
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, CLEANUP_TIMEOUT_MS)
  })
  if (pushOwner() !== null) await Promise.race([unsubscribeBrowser().catch(() => {}), timeout])
  drafts.clear()
  deviceStorage.clear()
  setAppBadge(0)
  await Promise.race([
    loadDeviceData()
      .then(({ removeStoredApp }) => removeStoredApp())
      .catch(() => {}),
    timeout,
  ])
  session.leaveTo(path)
  return true
}
