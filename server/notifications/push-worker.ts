import pLimit from 'p-limit'
import { createCache } from '../db/cache.ts'
import type { Database } from '../db/database.ts'
import type { PubSub } from '../db/pubsub.ts'
import { ADMIN_INBOX_ID, NOTIFICATIONS_CHANGED } from './notify.ts'
import { claimPushes, findDojosWithPush, type Push } from './push-claim.ts'
import { createPushKeyLoader, type PushKeys } from './push-keys.ts'
import { type Post, postOverHttps, composePushRequest } from './push-request.ts'
import { deleteSubscription, hasSubscriptions, PUSH_CHANGED } from './push-subscriptions.ts'

const MAX_CONCURRENT_SENDS = 20
const MAX_CACHED_DOJOS = 10_000

export type PushResult = 'sent' | 'expired' | 'failed'
type PushWorkerOptions = {
  db: Database
  pubsub: PubSub
  /** A mailto: or https: URL where push services can reach the operator (VAPID). */
  contact: string
  onError: (error: unknown) => void
  onResult?: (result: PushResult) => void
  post?: Post
}

/** Any number of servers may run a worker. Returns a function that stops it. */
export function startPushWorker({
  db,
  pubsub,
  contact,
  onError,
  onResult = () => {},
  post = postOverHttps(),
}: PushWorkerOptions): () => Promise<void> {
  const limit = pLimit(MAX_CONCURRENT_SENDS)
  const sender = { db, contact, keys: createPushKeyLoader(db), post }
  const subscriptionCache = createCache<{ isSubscribed: boolean }>(pubsub, {
    name: 'push',
    maxValues: MAX_CACHED_DOJOS,
  })
  const runningDojos = new Map<string, Promise<void>>()
  const changedDojos = new Set<string>()
  const stopController = new AbortController()
  const onFailure = (error: unknown) => {
    onResult('failed')
    onError(error)
  }

  async function pushNotifications(dojoId: string) {
    const dojo = await subscriptionCache.get(dojoId, () =>
      db.inDojo(dojoId, async (tx) => ({ isSubscribed: await hasSubscriptions(tx) })),
    )
    if (!dojo?.isSubscribed) return
    while (!stopController.signal.aborted) {
      const pushes = await db.inDojo(dojoId, (tx) => claimPushes(tx, dojoId))
      if (pushes.length === 0) return
      const enabledPushes = pushes.filter(({ isPushEnabled }) => isPushEnabled)
      await Promise.all(
        enabledPushes.map((push) =>
          limit(() => sendPush(sender, dojoId, push)).then(onResult, onFailure),
        ),
      )
    }
  }
  /** Repeats if the dojo got new notifications while its pushes were being sent. */
  async function pushUntilDone(dojoId: string) {
    do {
      changedDojos.delete(dojoId)
      await pushNotifications(dojoId).catch(onError)
    } while (changedDojos.has(dojoId))
    runningDojos.delete(dojoId)
  }
  function onChange(dojoId: string) {
    if (stopController.signal.aborted) return
    if (runningDojos.has(dojoId)) changedDojos.add(dojoId)
    else runningDojos.set(dojoId, pushUntilDone(dojoId))
  }
  pubsub.subscribe(PUSH_CHANGED, subscriptionCache.invalidate)
  pubsub.subscribe(NOTIFICATIONS_CHANGED, onChange)
  // Pushes the notifications that were stored while no server was running.
  const initialPushes = db
    .withoutDojo(findDojosWithPush)
    .then((dojos) => dojos.forEach(onChange), onError)
  return async () => {
    stopController.abort()
    await initialPushes
    await Promise.all(runningDojos.values())
  }
}

const GONE_STATUS = 410
const EXPIRED_STATUSES = [404, GONE_STATUS]

/** Super admins have no dojo, so their notifications have ADMIN_INBOX_ID as the dojo's id. */
const getPathToOpen = (dojoId: string) =>
  `${dojoId === ADMIN_INBOX_ID ? '/super-admin' : '/dashboard'}#notifications`

type Sender = { db: Database; contact: string; keys: () => Promise<PushKeys>; post: Post }

async function sendPush({ db, contact, keys, post }: Sender, dojoId: string, push: Push) {
  const request = composePushRequest(push, getPathToOpen(dojoId), contact, await keys())
  // A subscription's key never changes, so a subscription with an invalid key can be deleted.
  const status = request ? await post(request) : GONE_STATUS
  if (EXPIRED_STATUSES.includes(status)) {
    await db.inDojo(dojoId, (tx) => deleteSubscription(tx, push.subscription_id))
    return 'expired'
  }
  if (status >= 300)
    throw new Error(`The push service ${new URL(push.endpoint).host} responded with ${status}`)
  return 'sent'
}
