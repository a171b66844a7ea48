import { mustExist } from '@tatami/contract/lib/must-exist'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { createCache } from '../db/cache.ts'
import type { Database } from '../db/database.ts'
import { createSerializer } from '../http/serialized-reply.ts'
import type { Caller } from '../http/serve.ts'
import type { PubSub } from '../db/pubsub.ts'
import { listNotifications, countUnread } from './notifications.ts'
import { NOTIFICATIONS_CHANGED, ADMIN_INBOX_ID } from './notify.ts'

const serializeList = createSerializer(notificationsApi.list)
const serializeUnreadCount = createSerializer(notificationsApi.unreadCount)

type PolledReplies = {
  dojoId: string
  list: ReturnType<typeof serializeList>
  unreadCount: ReturnType<typeof serializeUnreadCount>
}

const MAX_BYTES = 64 * 1024 * 1024

const sumBytes = ({ list, unreadCount }: PolledReplies) => list.maxBytes + unreadCount.maxBytes

export const getInboxId = (caller: Caller): string => caller.dojoId ?? ADMIN_INBOX_ID

/** The key has the rights of staff, because staff with fewer rights see fewer notifications. */
const createCacheKey = ({ id, staff }: Caller): string =>
  staff ? [id, ...staff.rights, ...(staff.classIds ?? ['all'])].join(' ') : id

/** Browsers poll every few seconds, so replies are cached until the dojo's notifications change. */
export function createPolledNotifications(db: Database, pubsub: PubSub) {
  const cache = createCache<PolledReplies>(pubsub, {
    name: 'notifications',
    maxBytes: MAX_BYTES,
    bytesOf: sumBytes,
    tagsOf: ({ dojoId }) => [dojoId],
  })
  pubsub.subscribe(NOTIFICATIONS_CHANGED, cache.invalidate)

  return async (caller: Caller): Promise<PolledReplies> => {
    const dojoId = getInboxId(caller)
    const replies = await cache.get(createCacheKey(caller), () =>
      db.inDojo(dojoId, async (tx) => ({
        dojoId,
        list: serializeList(await listNotifications(tx, caller, {})),
        unreadCount: serializeUnreadCount({ unread_count: await countUnread(tx, caller) }),
      })),
    )
    return mustExist(replies, 'The notifications of an account')
  }
}
