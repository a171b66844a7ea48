import type { SignedInUser } from '@tatami/contract/accounts/users'
import type { Sessions } from '../accounts/sessions.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import type { Database } from '../db/database.ts'
import { closePendingLogins } from '../guardians/logins.ts'
import { findRoleToday } from '../accounts/staff-caller.ts'
import { loadUser } from './profile.ts'

/** A guardian's first sign-in closes the children's logins that it replaces. */
export async function buildSignedInReply(
  db: Database,
  sessions: Sessions,
  { token, account: { id, role, dojo_id: dojoId }, step }: SignedIn,
): Promise<{ token: string; user: SignedInUser }> {
  const identity = { id, role, dojoId, step }
  if (!dojoId) return { token, user: await db.withoutDojo((tx) => loadUser(tx, identity)) }
  return db.inDojo(dojoId, async (tx) => {
    await closePendingLogins(tx, sessions, dojoId, id)
    return {
      token,
      user: await loadUser(tx, { ...identity, role: await findRoleToday(tx, identity) }),
    }
  })
}
