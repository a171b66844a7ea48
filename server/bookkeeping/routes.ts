import { cashCountsApi } from '@tatami/contract/bookkeeping/cash-counts'
import { paymentFiguresApi } from '@tatami/contract/dues/payment-figures'
import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { statementsApi } from '@tatami/contract/bookkeeping/statements'
import { type App, serve } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { readCashDay, countCash } from './cash-counts.ts'
import { readPaymentFigures } from './figures.ts'
import { listFamilyPayments } from './family-payments.ts'
import { issueReceipt, listReceipts, showReceipt } from './receipts.ts'
import { sendReceipt } from './send-receipt.ts'
import { readStatement } from './statements.ts'

export function bookkeepingRoutes(app: App, mail: Mailer) {
  serve(app, receiptsApi, {
    issue: ({ tx, caller, body }) => issueReceipt(tx, caller, body),
    list: ({ tx, query }) => listReceipts(tx, query),
    payments: ({ tx, caller, query }) => listFamilyPayments(tx, caller, query.year),
    show: ({ tx, caller, params }) => showReceipt(tx, caller, params.id),
    send: {
      withoutTransaction: async ({ caller, params, body, idempotently }) => {
        const emails: Email[] = []
        const reply = await app.db.inDojo(caller.dojoId, (tx) =>
          idempotently(tx, async () => {
            const result = await sendReceipt(tx, caller, params.id, body, mail)
            if (result.mail) emails.push(result.mail)
            return result.reply
          }),
        )
        for (const email of emails) mail.send(email)
        return reply
      },
    },
  })
  serve(app, cashCountsApi, {
    show: ({ tx, caller, query }) => readCashDay(tx, caller.dojoId, query.date),
    set: ({ tx, caller, params, body }) => countCash(tx, caller, params.date, body),
  })
  serve(app, paymentFiguresApi, {
    show: { onReplica: ({ tx, caller, query }) => readPaymentFigures(tx, caller.dojoId, query) },
  })
  serve(app, statementsApi, {
    show: ({ tx, caller, query }) => readStatement(tx, caller.dojoId, query),
  })
}
