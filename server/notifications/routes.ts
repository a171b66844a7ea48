import { notificationsApi } from '@tatami/contract/notifications'
import { type App, DONE, serve } from '../http/serve.ts'
import { changeSettings, markRead, notificationsOf, settingsOf } from './notifications.ts'
import { pushKeysOf } from './push-keys.ts'
import { isSubscribed, subscribe, unsubscribe } from './push-subscriptions.ts'
import { deskOf, polledNotifications } from './polled.ts'

export function notificationsRoutes(app: App) {
  const polled = polledNotifications(app.db, app.signals)
  const pushKeys = pushKeysOf(app.db)
  serve(app, notificationsApi, {
    list: {
      outside: async ({ caller, query }) =>
        query.limit || query.before
          ? app.db.inDojo(deskOf(caller), (tx) => notificationsOf(tx, caller.id, query))
          : (await polled(caller)).list,
    },
    unreadCount: { outside: async ({ caller }) => ({ unread_count: (await polled(caller)).unread }) },
    markRead: {
      outside: ({ caller, params }) =>
        app.db.inDojo(deskOf(caller), async (tx) => {
          await markRead(tx, deskOf(caller), caller.id, params.id)
          return DONE
        }),
    },
    settings: { outside: ({ caller }) => app.db.inDojo(deskOf(caller), (tx) => settingsOf(tx, caller.id)) },
    updateSettings: { outside: ({ caller, body }) => app.db.inDojo(deskOf(caller), (tx) => changeSettings(tx, caller.id, body)) },
    push: {
      outside: async ({ caller }) => {
        const { publicKey } = await pushKeys()
        return { public_key: publicKey, subscribed: await app.db.inDojo(deskOf(caller), (tx) => isSubscribed(tx, caller)) }
      },
    },
    subscribe: {
      outside: ({ caller, body }) =>
        app.db.inDojo(deskOf(caller), async (tx) => {
          await subscribe(tx, deskOf(caller), caller, body)
          return DONE
        }),
    },
    unsubscribe: {
      outside: ({ caller }) =>
        app.db.inDojo(deskOf(caller), async (tx) => {
          await unsubscribe(tx, deskOf(caller), caller)
          return DONE
        }),
    },
  })
}
