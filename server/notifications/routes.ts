import { notificationsApi } from '@tatami/contract/notifications/notifications'
import type { Tx } from '../db/database.ts'
import { type App, type Caller, okReply, serve } from '../http/serve.ts'
import {
  changeSettings,
  listNotifications,
  markAllRead,
  markRead,
  readSettings,
} from './notifications.ts'
import { createPushKeyLoader } from './push-keys.ts'
import { isSubscribed, subscribe, unsubscribe } from './push-subscriptions.ts'
import { getInboxId, createPolledNotifications } from './polled-notifications.ts'

export function notificationsRoutes(app: App) {
  const readPolledReplies = createPolledNotifications(app.db, app.pubsub)
  const pushKeys = createPushKeyLoader(app.db)
  const inInbox = <Result>(caller: Caller, work: (tx: Tx, inboxId: string) => Promise<Result>) =>
    app.db.inDojo(getInboxId(caller), (tx) => work(tx, getInboxId(caller)))
  serve(app, notificationsApi, {
    list: {
      withoutTransaction: async ({ caller, query }) =>
        query.limit || query.before
          ? inInbox(caller, (tx) => listNotifications(tx, caller, query))
          : (await readPolledReplies(caller)).list,
    },
    unreadCount: {
      withoutTransaction: async ({ caller }) => (await readPolledReplies(caller)).unreadCount,
    },
    markRead: {
      withoutTransaction: ({ caller, params }) =>
        okReply(inInbox(caller, (tx, inboxId) => markRead(tx, inboxId, caller.id, params.id))),
    },
    markAllRead: {
      withoutTransaction: ({ caller, body }) =>
        okReply(inInbox(caller, (tx, inboxId) => markAllRead(tx, inboxId, caller.id, body.up_to))),
    },
    settings: {
      withoutTransaction: ({ caller }) => inInbox(caller, (tx) => readSettings(tx, caller.id)),
    },
    updateSettings: {
      withoutTransaction: ({ caller, body }) =>
        inInbox(caller, (tx) => changeSettings(tx, caller.id, body)),
    },
    push: {
      withoutTransaction: async ({ caller }) => ({
        public_key: (await pushKeys()).publicKey,
        subscribed: await inInbox(caller, (tx) => isSubscribed(tx, caller)),
      }),
    },
    subscribe: {
      withoutTransaction: ({ caller, body }) =>
        okReply(inInbox(caller, (tx, inboxId) => subscribe(tx, inboxId, caller, body))),
    },
    unsubscribe: {
      withoutTransaction: ({ caller }) =>
        okReply(inInbox(caller, (tx, inboxId) => unsubscribe(tx, inboxId, caller))),
    },
  })
}
