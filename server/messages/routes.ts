import { messagesApi } from '@tatami/contract/messages'
import { type App, DONE, serve } from '../kernel/serve.ts'
import { dailyLimit, setDailyLimit } from './daily-limit.ts'

export const messagesRoutes = (app: App) => serve(app, messagesApi, {
  systemConfig: async ({ tx }) => ({ daily_message_limit: await dailyLimit(tx) }),
  setDailyLimit: async ({ tx, caller, body }) => {
    await setDailyLimit(tx, caller, body.daily_limit)
    return { ...DONE, daily_message_limit: body.daily_limit }
  },
})
