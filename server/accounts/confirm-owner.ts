import type { Database } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { isRecentSession } from './sessions.ts'
import { confirmPassword } from './sign-in-throttle.ts'

/** Sensitive changes do not ask for the password again for this long after a sign-in. */
const RECENT_MINUTES = 10

export const WRONG_PASSWORD = 'Current password is not correct'

/** Throws 422 for a wrong password, or for a missing one if the sign-in is not recent. */
export async function confirmCallerPassword(
  db: Database,
  caller: Caller,
  password: string | undefined,
  maxFailures: number,
): Promise<void> {
  if (password === undefined) {
    const isRecent = await db.withoutDojo((tx) => isRecentSession(tx, caller, RECENT_MINUTES))
    if (!isRecent) throw invalid('current_password', 'Password is required')
  } else if (!(await confirmPassword(db, caller.id, password, maxFailures)))
    throw invalid('current_password', WRONG_PASSWORD)
}
