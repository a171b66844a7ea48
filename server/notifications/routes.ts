import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { type App, serve, okReply } from '../http/serve.ts'
import { changeSettings, markRead, notificationsOf, settingsOf } from './notifications.ts'
import { pushKeyLoader } from './push-keys.ts'
import { isSubscribed, subscribe, unsubscribe } from './push-subscriptions.ts'
import { inboxOf, polledNotifications } from './polled-notifications.ts'

export function notificationsRoutes(app: App) {
  const readPolled = polledNotifications(app.db, app.pubsub)
  const pushKeys = pushKeyLoader(app.db)
  serve(app, notificationsApi, {
    list: {
      withoutTransaction: async ({ caller, query }) =>
        query.limit || query.before
          ? app.db.inDojo(inboxOf(caller), (tx) => notificationsOf(tx, caller.id, query))
          : (await readPolled(caller)).list,
    },
    unreadCount: {
      withoutTransaction: async ({ caller }) => (await readPolled(caller)).unreadCount,
    },
    markRead: {
      withoutTransaction: ({ caller, params }) =>
        app.db.inDojo(inboxOf(caller), (tx) =>
          okReply(markRead(tx, inboxOf(caller), caller.id, params.id)),
        ),
    },
    settings: {
      withoutTransaction: ({ caller }) =>
        app.db.inDojo(inboxOf(caller), (tx) => settingsOf(tx, caller.id)),
    },
    updateSettings: {
      withoutTransaction: ({ caller, body }) =>
        app.db.inDojo(inboxOf(caller), (tx) => changeSettings(tx, caller.id, body)),
    },
    push: {
      withoutTransaction: async ({ caller }) => {
        const { publicKey } = await pushKeys()
        return {
          public_key: publicKey,
          subscribed: await app.db.inDojo(inboxOf(caller), (tx) => isSubscribed(tx, caller)),
        }
      },
    },
    subscribe: {
      withoutTransaction: ({ caller, body }) =>
        app.db.inDojo(inboxOf(caller), (tx) =>
          okReply(subscribe(tx, inboxOf(caller), caller, body)),
        ),
    },
    unsubscribe: {
      withoutTransaction: ({ caller }) =>
        app.db.inDojo(inboxOf(caller), (tx) => okReply(unsubscribe(tx, inboxOf(caller), caller))),
    },
  })
}
