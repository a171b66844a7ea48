import { excusesApi } from '@tatami/contract/calendar/excuses'
import { type App, serve, okReply } from '../../http/serve.ts'
import { requestExcuse, listExcuses, requestExcuseRemoval } from './excuses.ts'

export const excusesRoutes = (app: App) =>
  serve(app, excusesApi, {
    list: ({ tx, caller, query }) => listExcuses(tx, caller, query),
    add: ({ tx, caller, body }) => requestExcuse(tx, caller, body),
    remove: ({ tx, caller, query }) => okReply(requestExcuseRemoval(tx, caller, query)),
  })
