import type { Database } from '../db/database.ts'
import { OFFICE } from './notify.ts'
import type { Push } from './push-claim.ts'
import type { PushKeys } from './push-keys.ts'
import { pushRequestOf, type Post } from './push-request.ts'
import { forgetSubscription } from './push-subscriptions.ts'

/** Not found, gone: the browser has unsubscribed. */
const GONE = [404, 410]

/** Where a tap leads: home, with the notices open. */
const screenIn = (dojoId: string) => `${dojoId === OFFICE ? '/super-admin' : '/dashboard'}#notifications`

type Sender = { db: Database; subject: string; keys: () => Promise<PushKeys>; post: Post }

/** Sends what has been claimed and committed as such, once. A browser that is gone, or whose key is none, is forgotten. */
export async function sendPush({ db, subject, keys, post }: Sender, dojoId: string, push: Push): Promise<void> {
  const request = pushRequestOf(push, screenIn(dojoId), subject, await keys())
  const status = request ? await post(request) : GONE[0]!
  if (GONE.includes(status)) await db.inDojo(dojoId, (tx) => forgetSubscription(tx, push.subscription_id))
  else if (status >= 300) throw new Error(`The push service ${new URL(push.endpoint).host} answered ${status}`)
}
