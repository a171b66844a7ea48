import pLimit from 'p-limit'
import { createCache } from '../db/cache.ts'
import type { Database } from '../db/database.ts'
import type { PubSub } from '../db/pubsub.ts'
import { ADMIN_INBOX_ID, NOTIFICATIONS_CHANGED } from './notify.ts'
import { claimPushes, dojosWithPush, type Push } from './push-claim.ts'
import { pushKeyLoader, type PushKeys } from './push-keys.ts'
import { type Post, postOverHttps, pushRequestOf } from './push-request.ts'
import { deleteSubscription, hasSubscriptions, PUSH_CHANGED } from './push-subscriptions.ts'

const MAX_CONCURRENT_SENDS = 20
const MAX_CACHED_DOJOS = 10_000

export type PushResult = 'sent' | 'expired' | 'failed'
type PushWorker = {
  db: Database
  pubsub: PubSub
  subject: string
  onError: (error: unknown) => void
  onResult?: (result: PushResult) => void
  post?: Post
}

/** Any number of servers may run this. Returns a function that stops. */
export function startPushWorker({
  db,
  pubsub,
  subject,
  onError,
  onResult = () => {},
  post = postOverHttps(),
}: PushWorker): () => Promise<void> {
  const limit = pLimit(MAX_CONCURRENT_SENDS)
  const sender = { db, subject, keys: pushKeyLoader(db), post }
  const hasBrowsers = createCache<{ any: boolean }>(pubsub, {
    name: 'push',
    maxValues: MAX_CACHED_DOJOS,
  })
  const working = new Map<string, Promise<void>>(),
    changedDojos = new Set<string>()
  const stopping = new AbortController()
  const onFailure = (error: unknown) => {
    onResult('failed')
    onError(error)
  }

  async function pushAll(dojoId: string) {
    const dojo = await hasBrowsers.get(dojoId, () =>
      db.inDojo(dojoId, async (tx) => ({ any: await hasSubscriptions(tx) })),
    )
    if (!dojo?.any) return
    while (!stopping.signal.aborted) {
      const pushes = await db.inDojo(dojoId, (tx) => claimPushes(tx, dojoId))
      if (pushes.length === 0) return
      await Promise.all(
        pushes
          .filter(({ isEnabled }) => isEnabled)
          .map((push) => limit(() => sendPush(sender, dojoId, push)).then(onResult, onFailure)),
      )
    }
  }
  async function pushUntilDone(dojoId: string) {
    do {
      changedDojos.delete(dojoId)
      await pushAll(dojoId).catch(onError)
    } while (changedDojos.has(dojoId))
    working.delete(dojoId)
  }
  function onChange(dojoId: string) {
    if (stopping.signal.aborted) return
    if (working.has(dojoId)) changedDojos.add(dojoId)
    else working.set(dojoId, pushUntilDone(dojoId))
  }
  pubsub.subscribe(PUSH_CHANGED, hasBrowsers.invalidate)
  pubsub.subscribe(NOTIFICATIONS_CHANGED, onChange)
  // Pushes that were pending when the last server stopped.
  const catchingUp = db.withoutDojo(dojosWithPush).then((dojos) => dojos.forEach(onChange), onError)
  return async () => {
    stopping.abort()
    await catchingUp
    await Promise.all(working.values())
  }
}

const GONE_STATUS = 410
const GONE_STATUSES = [404, GONE_STATUS]

const pathFor = (dojoId: string) =>
  `${dojoId === ADMIN_INBOX_ID ? '/super-admin' : '/dashboard'}#notifications`

type Sender = { db: Database; subject: string; keys: () => Promise<PushKeys>; post: Post }

async function sendPush({ db, subject, keys, post }: Sender, dojoId: string, push: Push) {
  const request = pushRequestOf(push, pathFor(dojoId), subject, await keys())
  const status = request ? await post(request) : GONE_STATUS
  if (GONE_STATUSES.includes(status)) {
    await db.inDojo(dojoId, (tx) => deleteSubscription(tx, push.subscription_id))
    return 'expired'
  }
  if (status >= 300)
    throw new Error(`The push service ${new URL(push.endpoint).host} answered ${status}`)
  return 'sent'
}
