import type { Notification } from '@tatami/contract/notifications'
import { createCache } from '../db/cache.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import type { PubSub } from '../db/pubsub.ts'
import { notificationsOf, unreadCountOf } from './notifications.ts'
import { NOTIFICATIONS_CHANGED, OFFICE } from './notify.ts'

type Known = { dojoId: string; list: Notification[]; unread: number }
const CACHED_AT_MOST = 5_000

/** The dojo whose notifications are the caller's. */
export const deskOf = (caller: Caller): string => caller.dojoId ?? OFFICE

/** What every open page asks every few seconds, answered from memory until somebody says that it changed. */
export function polledNotifications(db: Database, pubsub: PubSub) {
  const cache = createCache<Known>(pubsub, CACHED_AT_MOST)
  pubsub.subscribe(NOTIFICATIONS_CHANGED, (dojoId) => cache.invalidate((known) => known.dojoId === dojoId))

  return async (caller: Caller): Promise<Known> => {
    const dojoId = deskOf(caller)
    return (await cache.get(caller.id, () =>
      db.inDojo(dojoId, async (tx) => ({
        dojoId,
        list: await notificationsOf(tx, caller.id, {}),
        unread: await unreadCountOf(tx, caller.id),
      })),
    ))!
  }
}
