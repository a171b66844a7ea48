import pLimit from 'p-limit'
import { createCache } from '../db/cache.ts'
import type { Database } from '../db/database.ts'
import type { PubSub } from '../db/pubsub.ts'
import { NOTIFICATIONS_CHANGED } from './notify.ts'
import { claimPushes, dojosWithPush } from './push-claim.ts'
import { pushKeysOf } from './push-keys.ts'
import { type Post, postOverHttps } from './push-request.ts'
import { hasSubscriptions, PUSH_CHANGED } from './push-subscriptions.ts'
import { sendPush } from './send-push.ts'

const SENDING_AT_ONCE = 20
const DOJOS_KNOWN = 10_000

type Pushing = { db: Database; pubsub: PubSub; subject: string; onError: (error: unknown) => void; post?: Post }

/** Sends notices to the browsers that subscribed, after they are committed, beside however many other servers do so. `subject` says
 *  whom a push service may write to. Gives back its end, which waits for what is under way. */
export function keepPushing({ db, pubsub, subject, onError, post = postOverHttps() }: Pushing): () => Promise<void> {
  const limit = pLimit(SENDING_AT_ONCE)
  const sender = { db, subject, keys: pushKeysOf(db), post }
  // Most dojos' notices concern no browser: those cost nothing here.
  const known = createCache<{ some: boolean }>(pubsub, DOJOS_KNOWN)
  const working = new Map<string, Promise<void>>(),
    again = new Set<string>()
  const stopping = new AbortController()

  async function pushAll(dojoId: string) {
    const dojo = await known.get(dojoId, () => db.inDojo(dojoId, async (tx) => ({ some: await hasSubscriptions(tx) })))
    if (!dojo?.some) return
    while (!stopping.signal.aborted) {
      const claimed = await db.inDojo(dojoId, (tx) => claimPushes(tx, dojoId))
      if (claimed.length === 0) return
      await Promise.all(claimed.filter(({ wanted }) => wanted).map((push) => limit(() => sendPush(sender, dojoId, push)).catch(onError)))
    }
  }
  async function work(dojoId: string) {
    do {
      again.delete(dojoId)
      await pushAll(dojoId).catch(onError)
    } while (again.has(dojoId))
    working.delete(dojoId)
  }
  function hear(dojoId: string) {
    if (stopping.signal.aborted) return
    if (working.has(dojoId)) again.add(dojoId)
    else working.set(dojoId, work(dojoId))
  }
  pubsub.subscribe(PUSH_CHANGED, (dojoId) => known.invalidate((_, key) => key === dojoId))
  pubsub.subscribe(NOTIFICATIONS_CHANGED, hear)
  // What was left when the last server ended.
  const catchingUp = db.withoutDojo(dojosWithPush).then((dojos) => dojos.forEach(hear), onError)
  return async () => {
    stopping.abort()
    await catchingUp
    await Promise.all(working.values())
  }
}
