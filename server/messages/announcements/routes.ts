import { announcementsApi } from '@tatami/contract/messages/announcements'
import { type App, SUCCESS, serve } from '../../http/serve.ts'
import { listAnnouncements, sendFeeReminder, announceToSelection } from './announcements.ts'

export const announcementsRoutes = (app: App) =>
  serve(app, announcementsApi, {
    list: ({ tx, caller, query }) => listAnnouncements(tx, caller, query),
    send: async ({ tx, caller, body }) => ({
      ...SUCCESS,
      total_recipients: await announceToSelection(tx, caller, body),
    }),
    sendFeeReminder: async ({ tx, caller, body }) => ({
      ...SUCCESS,
      total_recipients: await sendFeeReminder(tx, caller, body),
    }),
  })
