import { announcementsApi } from '@tatami/contract/announcements'
import { type App, DONE, serve } from '../http/serve.ts'
import { announcementsSeenBy, sendFeeReminder, sendNotification } from './announcements.ts'
import { previewBulkMessage, sendBulkMessage } from './bulk.ts'
import { previewReminder, sendReminder } from './reminders.ts'

export const announcementsRoutes = (app: App) =>
  serve(app, announcementsApi, {
    list: ({ tx, caller, query }) => announcementsSeenBy(tx, caller, query),
    send: async ({ tx, caller, body }) => ({ ...DONE, total_recipients: await sendNotification(tx, caller, body) }),
    sendFeeReminder: async ({ tx, caller, body }) => ({ ...DONE, total_recipients: await sendFeeReminder(tx, caller, body) }),
    sendBulk: ({ tx, caller, body }) => sendBulkMessage(tx, caller, body),
    preview: ({ tx, caller, body }) => previewBulkMessage(tx, caller.dojoId, body),
    previewReminder: ({ tx, caller, params }) => previewReminder(tx, caller.dojoId, params.reminder),
    sendPreDue: ({ tx, caller, query }) => sendReminder(tx, caller.dojoId, 'pre_due', query),
    sendOnDue: ({ tx, caller, query }) => sendReminder(tx, caller.dojoId, 'on_due', query),
    sendPostDue: ({ tx, caller, query }) => sendReminder(tx, caller.dojoId, 'post_due', query),
  })
