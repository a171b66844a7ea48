import { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import { type App, serve } from '../http/serve.ts'
import { readSlippingAway, textSlippingStudents } from './slipping-away.ts'

export const slippingAwayRoutes = (app: App) =>
  serve(app, slippingAwayApi, {
    list: ({ tx, caller, query }) => readSlippingAway(tx, caller.dojoId, query.limit),
    text: ({ tx, caller, body }) => textSlippingStudents(tx, caller, body.student_ids, body),
  })
