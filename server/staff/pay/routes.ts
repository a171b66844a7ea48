import { payApi } from '@tatami/contract/staff/pay'
import { type App, okReply, serve } from '../../http/serve.ts'
import { downloadPay } from './download.ts'
import { readOverview } from './overview.ts'
import { closePeriod } from './periods.ts'
import { readRates, removeRate, setRate } from './rates.ts'

export const payRoutes = (app: App): void =>
  serve(app, payApi, {
    overview: ({ tx, caller, query }) => readOverview(tx, caller, query),
    close: ({ tx, caller, body }) => closePeriod(tx, caller, body),
    rates: ({ tx }) => readRates(tx),
    setRate: async ({ tx, caller, body }) => ({ rate: await setRate(tx, caller, body) }),
    removeRate: ({ tx, caller, params }) => okReply(removeRate(tx, caller, params.id)),
    download: {
      file: ({ caller, body }) =>
        app.db.inDojo(caller.dojoId, (tx) => downloadPay(tx, caller, body)),
    },
  })
