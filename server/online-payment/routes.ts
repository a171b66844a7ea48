import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { onlineStudentsApi } from '@tatami/contract/online-payment/online-students'
import { onlineRefundApi } from '@tatami/contract/online-payment/refunds'
import { requestedMonth } from '../dues/payments.ts'
import { type App, serve } from '../http/serve.ts'
import { readPendingCents } from './live-lines.ts'
import { listPaidMonths } from './paid-months.ts'
import { createPayLink } from './pay-links.ts'
import { hasOnlinePayments, listOnlinePayments } from './list.ts'
import { listOnlineStudents } from './online-students.ts'
import { mountPayPage } from './pay-routes.ts'
import { describePayment } from './payment-details.ts'
import { endReview, recordRefund, requestRefund } from './refunds.ts'
import {
  confirmServer,
  readSetUp,
  removeAccount,
  saveAccount,
  type SetUpContext,
  startSimulation,
} from './set-up.ts'
import { mountSimulator } from './simulator/pages.ts'
import { findProvider, requireProvider } from './stripe-account.ts'
import { mountStripeWebhooks } from './webhooks.ts'

const REFUND_AT_STRIPE =
  'Online payment is turned off. Enter your key again, or refund this payment in Stripe.'

export function onlinePaymentRoutes(app: App, context: SetUpContext): void {
  mountPayPage(app, context)
  mountStripeWebhooks(app)
  mountSimulator(app)
  serve(app, onlinePaymentApi, {
    setUp: ({ tx }) => readSetUp(tx, context),
    saveAccount: {
      withoutTransaction: ({ caller, body }) => saveAccount(context, caller, body),
    },
    removeAccount: {
      withoutTransaction: ({ caller, body }) =>
        removeAccount(context, caller, body.current_password),
    },
    confirmServer: {
      withoutTransaction: ({ caller, body }) =>
        confirmServer(context, caller, body.current_password),
    },
    simulate: ({ tx, caller }) => startSimulation(tx, context, caller),
    status: async ({ tx }) => {
      const provider = await findProvider(tx, context)
      return {
        is_on: provider !== null,
        is_simulated: provider?.isSimulated ?? false,
        is_test: provider !== null && !provider.isLive,
        has_payments: await hasOnlinePayments(tx),
      }
    },
    createPayLink: ({ tx, caller, body }) =>
      createPayLink(tx, caller, body.student_id, context.publicUrl),
    list: ({ tx, caller }) => listOnlinePayments(tx, caller.dojoId),
  })
  serve(app, onlineStudentsApi, {
    list: ({ tx, caller }) => listOnlineStudents(tx, caller.dojoId, context.publicUrl),
    onTheirWay: async ({ tx }) =>
      [...(await readPendingCents(tx)).keys()].map((student_id) => ({ student_id })),
    paidMonth: async ({ tx, caller, query }) =>
      listPaidMonths(tx, await requestedMonth(tx, caller.dojoId, query)),
  })
  serve(app, onlineRefundApi, {
    details: async ({ tx, params }) =>
      describePayment(tx, params.id, await findProvider(tx, context)),
    refund: async ({ tx, caller, params, body }) => {
      const paymentId = await requestRefund(tx, caller, params.id, body)
      return describePayment(tx, paymentId, await requireProvider(tx, context, REFUND_AT_STRIPE))
    },
    endReview: async ({ tx, caller, params }) => {
      const paymentId = await endReview(tx, caller, params.id)
      return describePayment(tx, paymentId, await findProvider(tx, context))
    },
    recordRefund: async ({ tx, caller, params, body }) => {
      const paymentId = await recordRefund(tx, caller, params.id, body)
      return describePayment(tx, paymentId, await findProvider(tx, context))
    },
  })
}
