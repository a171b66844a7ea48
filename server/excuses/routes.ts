import { excusesApi } from '@tatami/contract/excuses'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { excuseAs, excusesVisibleTo, takeBackAs } from './excuses.ts'

export const excusesRoutes = (app: App) =>
  serve(app, excusesApi, {
    list: ({ tx, caller, query }) => excusesVisibleTo(tx, caller, query),
    add: ({ tx, caller, body }) => excuseAs(tx, caller, body),
    remove: async ({ tx, caller, query }) => {
      await takeBackAs(tx, caller, query)
      return SUCCESS
    },
  })
