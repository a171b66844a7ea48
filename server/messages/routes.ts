import { schoolMessagesApi } from '@tatami/contract/messages/school-messages'
import { textingApi } from '@tatami/contract/texting/texting'
import { cachePerDojo } from '../http/response-cache.ts'
import { createSerializer } from '../http/serialized-reply.ts'
import { type App, SUCCESS, serve, okReply } from '../http/serve.ts'
import { readUsageToday } from '../texting/allowance.ts'
import { previewBulkMessage, sendBulkMessage } from './compose.ts'
import { previewUpcomingReminder } from './first-reminder.ts'
import { getBatch, listBatches } from '../texting/history.ts'
import { conversationsRoutes } from './conversation-routes.ts'
import { countUnread, listInbox, markInboxRead } from '../texting/inbox.ts'
import { previewReminder, sendReminder } from './reminders.ts'
import {
  checkService,
  readServiceStatus,
  createSetupQr,
  type Texting,
  type TextingSettings,
} from '../texting/service.ts'
import {
  readDailyLimit,
  listReminderRuns,
  setDailyLimit,
  changeAuditedSettings,
  readTextSettings,
} from '../texting/settings.ts'
import { listOwnSchoolMessages } from './own-school-messages.ts'
import { writeToSchool } from './school-messages.ts'
import { sendAgain } from './send-again.ts'
import { listSimulatedTexts } from '../texting/providers/simulator.ts'
import { textingAccountRoutes } from './texting-account-routes.ts'
import { mountWebhooks } from './webhooks.ts'

type Settings = TextingSettings & { failedSignIns: number }

export function messagesRoutes(app: App, texting: Texting, settings: Settings) {
  const { publicUrl, failedSignIns } = settings
  mountWebhooks(app, settings)
  conversationsRoutes(app, texting)
  textingAccountRoutes(app, { db: app.db, texting, publicUrl, failedSignIns })
  const serializeUnread = createSerializer(textingApi.inboxUnread)
  const readUnreadCount = cachePerDojo(app, async (tx) => serializeUnread(await countUnread(tx)))
  serve(app, schoolMessagesApi, {
    list: ({ tx, caller }) => listOwnSchoolMessages(tx, caller),
    write: ({ tx, caller, body }) => writeToSchool(tx, caller, body.text),
  })
  serve(app, textingApi, {
    systemConfig: async ({ tx }) => ({ daily_message_limit: await readDailyLimit(tx) }),
    setDailyLimit: ({ tx, caller, body: { daily_limit } }) =>
      okReply(setDailyLimit(tx, caller, daily_limit), { daily_message_limit: daily_limit }),
    usage: ({ tx }) => readUsageToday(tx),
    welcomeSettings: ({ tx }) => readTextSettings(tx),
    setWelcome: ({ tx, caller, body }) => {
      const details = { on: body.welcome_message_enabled }
      return okReply(
        changeAuditedSettings(tx, caller, 'welcome texts switched', body, details),
        body,
      )
    },
    reminderSettings: async ({ tx }) => ({
      ...(await readTextSettings(tx)),
      runs: await listReminderRuns(tx),
    }),
    setReminders: ({ tx, caller, body }) => {
      const details = { on: body.reminders_enabled }
      return okReply(changeAuditedSettings(tx, caller, 'reminders switched', body, details), body)
    },
    status: ({ tx, caller }) => readServiceStatus(tx, caller, texting),
    init: { withoutTransaction: ({ caller }) => checkService(app.db, caller, texting) },
    info: ({ tx, caller }) => readServiceStatus(tx, caller, texting),
    qr: ({ tx, caller }) => createSetupQr(tx, caller, texting, publicUrl),
    batches: ({ tx, caller, query }) => listBatches(tx, caller, query),
    batch: ({ tx, caller, params }) => getBatch(tx, caller, params.id),
    sendBulk: ({ tx, caller, body }) => sendBulkMessage(tx, caller, body),
    preview: ({ tx, caller, body }) => previewBulkMessage(tx, caller, body),
    previewReminder: ({ tx, caller, params }) =>
      previewReminder(tx, caller.dojoId, params.reminder),
    upcomingReminder: ({ tx, caller }) => previewUpcomingReminder(tx, caller.dojoId),
    sendPreDue: ({ tx, caller, query }) => sendReminder(tx, caller, 'pre_due', query),
    sendOnDue: ({ tx, caller, query }) => sendReminder(tx, caller, 'on_due', query),
    sendPostDue: ({ tx, caller, query }) => sendReminder(tx, caller, 'post_due', query),
    sendAgain: async ({ tx, caller, params, body }) => ({
      ...SUCCESS,
      ...(await sendAgain(tx, caller, params.id, body.message_ids)),
    }),
    inbox: ({ tx, query }) => listInbox(tx, query),
    inboxUnread: { withoutTransaction: ({ caller }) => readUnreadCount(caller.dojoId) },
    readInbox: ({ tx, body }) => okReply(markInboxRead(tx, body.message_ids)),
    simulated: ({ tx, caller, query }) => listSimulatedTexts(tx, caller, query),
  })
}
