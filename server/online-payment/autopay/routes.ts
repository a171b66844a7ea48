import { payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { requireStudent } from '../../guardians/guardianships.ts'
import { type App, serve } from '../../http/serve.ts'
import type { OnlinePaymentContext } from '../stripe-account.ts'
import { mountAutopayPages } from './pages.ts'
import { allowCharge } from './left-out.ts'
import {
  agreeToAutopay,
  changeMethod,
  payAsPayer,
  stopOwnAutopay,
  stopStudentsAutopay,
} from './payer-acts.ts'
import { readPayerHome, readStudentAutopay } from './payer-home.ts'

export function autopayRoutes(app: App, context: OnlinePaymentContext): void {
  const { publicUrl } = context
  mountAutopayPages(app, context)
  serve(app, payerHomeApi, {
    home: async ({ tx, caller }) => ({
      home: await readPayerHome(tx, caller.dojoId, caller.id, publicUrl),
    }),
    pay: {
      withoutTransaction: ({ caller, body: { amount, is_left_out: isLeftOut = false } }) =>
        payAsPayer(context, caller, { amount, isLeftOut }),
    },
    agree: {
      withoutTransaction: ({ caller, body, address, userAgent }) =>
        agreeToAutopay(context, caller, body, { address, userAgent }),
    },
    changeMethod: { withoutTransaction: ({ caller }) => changeMethod(context, caller) },
    stop: { withoutTransaction: ({ caller }) => stopOwnAutopay(context, caller) },
    ofStudent: async ({ tx, caller, params }) => {
      await requireStudent(tx, params.id)
      return { payer: await readStudentAutopay(tx, caller.dojoId, params.id, publicUrl) }
    },
    allowCharge: async ({ tx, caller, params, body }) => {
      await requireStudent(tx, params.id)
      await allowCharge(tx, caller, { studentId: params.id, chargeId: body.charge_id })
      return { payer: await readStudentAutopay(tx, caller.dojoId, params.id, publicUrl) }
    },
    stopForPayer: {
      withoutTransaction: ({ caller, params, body }) =>
        stopStudentsAutopay(context, caller, params.id, body.reason),
    },
  })
}
