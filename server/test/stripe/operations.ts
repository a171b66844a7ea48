import type { Stripe } from 'stripe'
import { addSession, expireSession } from './checkout-sessions.ts'
import { invalidRequest, noSuchObject } from './failure.ts'
import { type Form, listOf, objectOf, textOf, textsOf } from './form-body.ts'
import { addIntent, cancelIntent, confirmIntent, savedMethod } from './payment-intents.ts'
import { deleteCustomer, detachMethod } from './payment-methods.ts'
import { addRefund } from './refunds.ts'
import { addObject, findObject, idOf, type ObjectKind, type Store } from './store.ts'

export type OperationInput = {
  store: Store
  events: readonly Stripe.Event[]
  account: { id: string; email: string }
  /** The id in the path, or an empty text. */
  id: string
  form: Form
  pageUrl: (sessionId: string) => string
}
type Operation = (input: OperationInput) => object

const numberOf = (form: Form, name: string): number | null => {
  const text = textOf(form, name)
  return text === undefined ? null : Number(text)
}
const nullableText = (form: Form, name: string): string | null => textOf(form, name) ?? null

/** What a Checkout Session sells, in cents. */
const totalOf = (form: Form): number =>
  listOf(form, 'line_items').reduce((total, item) => {
    const unitCents = numberOf(objectOf(item, 'price_data'), 'unit_amount') ?? 0
    return total + unitCents * (numberOf(item, 'quantity') ?? 1)
  }, 0)

const createSession: Operation = ({ store, form, pageUrl }) => {
  const mode = textOf(form, 'mode') === 'setup' ? 'setup' : 'payment'
  const intentForm = objectOf(form, mode === 'setup' ? 'setup_intent_data' : 'payment_intent_data')
  const [firstItem] = listOf(form, 'line_items')
  const itemCurrency = firstItem && textOf(objectOf(firstItem, 'price_data'), 'currency')
  return addSession(
    store,
    {
      mode,
      cents: totalOf(form),
      currency: textOf(form, 'currency') ?? itemCurrency ?? 'usd',
      customer: nullableText(form, 'customer'),
      success_url: nullableText(form, 'success_url'),
      cancel_url: nullableText(form, 'cancel_url'),
      client_reference_id: nullableText(form, 'client_reference_id'),
      expires_at: numberOf(form, 'expires_at'),
      metadata: textsOf(form, 'metadata'),
      intent: {
        metadata: textsOf(intentForm, 'metadata'),
        description: nullableText(intentForm, 'description'),
        savesMethod: textOf(intentForm, 'setup_future_usage') === 'off_session',
      },
    },
    pageUrl,
  )
}

const createPaymentIntent: Operation = ({ store, form }) => {
  const customer = nullableText(form, 'customer')
  const methodId = nullableText(form, 'payment_method')
  const method = methodId === null ? null : savedMethod(store, methodId, customer)
  const intent = addIntent(store, {
    cents: numberOf(form, 'amount') ?? 0,
    currency: textOf(form, 'currency') ?? 'usd',
    customer,
    payment_method: methodId,
    description: nullableText(form, 'description'),
    metadata: textsOf(form, 'metadata'),
  })
  const isOffSession = textOf(form, 'off_session') === 'true'
  if (textOf(form, 'confirm') === 'true' && method)
    confirmIntent(store, intent, method, { isOffSession })
  return intent
}

const confirmPaymentIntent: Operation = ({ store, id, form }) => {
  const intent = findObject(store, 'payment_intent', id)
  const methodId = textOf(form, 'payment_method') ?? idOf(intent.payment_method) ?? ''
  const method = savedMethod(store, methodId, idOf(intent.customer))
  confirmIntent(store, intent, method, { isOffSession: textOf(form, 'off_session') === 'true' })
  return intent
}

const customerFields = (form: Form): Partial<Stripe.Customer> => ({
  name: nullableText(form, 'name'),
  email: nullableText(form, 'email'),
  phone: nullableText(form, 'phone'),
  description: nullableText(form, 'description'),
  metadata: textsOf(form, 'metadata'),
})

const createWebhookEndpoint: Operation = ({ store, form }) => {
  const enabledEvents = form['enabled_events']
  return addObject(store, 'webhook_endpoint', {
    url: textOf(form, 'url') ?? '',
    api_version: nullableText(form, 'api_version'),
    enabled_events: Array.isArray(enabledEvents) ? enabledEvents.map(String) : [],
    description: nullableText(form, 'description'),
    metadata: textsOf(form, 'metadata'),
    secret: `whsec_${crypto.randomUUID().replaceAll('-', '')}`,
    status: 'enabled',
  })
}

const read =
  (kind: ObjectKind): Operation =>
  ({ store, id }) =>
    findObject(store, kind, id)

type ListedObject = { id: string; created?: number }

/** A page of a list, newest first, as every list of Stripe. */
function listPage(objects: readonly ListedObject[], form: Form): object {
  const limit = numberOf(form, 'limit') ?? 10
  const startId = textOf(form, 'starting_after')
  const newestFirst = objects.toReversed()
  const startIndex = startId ? newestFirst.findIndex(({ id }) => id === startId) + 1 : 0
  if (startId && startIndex === 0) throw noSuchObject('object', startId)
  const page = newestFirst.slice(startIndex, startIndex + limit)
  const has_more = newestFirst.length > startIndex + limit
  return { object: 'list', data: page, has_more, url: '/v1/list' }
}

/** Lists the objects of a kind that have the values of these filters. */
const list =
  (kind: ObjectKind, filters: readonly string[]): Operation =>
  ({ store, form }) => {
    const earliest = numberOf(objectOf(form, 'created'), 'gte') ?? 0
    const objects = [...store[kind].values()] as ListedObject[]
    const matches = objects.filter((object) => {
      const isRecent = (object.created ?? 0) >= earliest
      const fields = object as Record<string, unknown>
      return isRecent && filters.every((name) => !form[name] || fields[name] === form[name])
    })
    return listPage(matches, form)
  }

const listMethodsOfCustomer: Operation = ({ store, id, form }) =>
  listPage(
    [...store.payment_method.values()].filter(({ customer }) => idOf(customer) === id),
    form,
  )

const listEvents: Operation = ({ events, form }) => {
  const earliest = numberOf(objectOf(form, 'created'), 'gte') ?? 0
  const types = form['types']
  const matches = events.filter(
    ({ created, type }) => created >= earliest && (!Array.isArray(types) || types.includes(type)),
  )
  return listPage(matches, form)
}

const readEvent: Operation = ({ events, id }) => {
  const event = events.find((storedEvent) => storedEvent.id === id)
  if (!event) throw noSuchObject('event', id)
  return event
}

/** By the ids of Stripe's own API description. */
export const OPERATIONS: Record<string, Operation> = {
  GetAccount: ({ account }) => ({
    ...account,
    object: 'account',
    charges_enabled: true,
    details_submitted: true,
    payouts_enabled: true,
    type: 'standard',
  }),
  PostCustomers: ({ store, form }) => addObject(store, 'customer', customerFields(form)),
  GetCustomers: list('customer', ['email']),
  GetCustomersCustomer: read('customer'),
  PostCustomersCustomer: ({ store, id, form }) => {
    const changes = Object.entries(customerFields(form)).filter(([name]) => name in form)
    return Object.assign(findObject(store, 'customer', id), Object.fromEntries(changes))
  },
  DeleteCustomersCustomer: ({ store, id }) => {
    deleteCustomer(store, id)
    return { id, object: 'customer', deleted: true }
  },
  GetCustomersCustomerPaymentMethods: listMethodsOfCustomer,
  GetPaymentMethodsPaymentMethod: read('payment_method'),
  PostPaymentMethodsPaymentMethodDetach: ({ store, id }) => detachMethod(store, id),
  PostCheckoutSessions: createSession,
  GetCheckoutSessions: list('checkout.session', ['customer', 'payment_intent', 'status']),
  GetCheckoutSessionsSession: read('checkout.session'),
  PostCheckoutSessionsSessionExpire: ({ store, id }) => expireSession(store, id),
  PostPaymentIntents: createPaymentIntent,
  GetPaymentIntents: list('payment_intent', ['customer']),
  GetPaymentIntentsIntent: read('payment_intent'),
  PostPaymentIntentsIntentConfirm: confirmPaymentIntent,
  PostPaymentIntentsIntentCancel: ({ store, id }) => cancelIntent(store, id),
  GetSetupIntentsIntent: read('setup_intent'),
  GetChargesCharge: read('charge'),
  GetBalanceTransactionsId: read('balance_transaction'),
  PostRefunds: ({ store, form }) =>
    addRefund(store, {
      charge: nullableText(form, 'charge'),
      payment_intent: nullableText(form, 'payment_intent'),
      cents: numberOf(form, 'amount'),
      metadata: textsOf(form, 'metadata'),
      reason: (textOf(form, 'reason') as Stripe.Refund['reason']) ?? null,
    }),
  GetRefunds: list('refund', ['charge', 'payment_intent']),
  GetRefundsRefund: read('refund'),
  GetDisputes: list('dispute', ['charge', 'payment_intent']),
  GetDisputesDispute: read('dispute'),
  GetEvents: listEvents,
  GetEventsId: readEvent,
  PostWebhookEndpoints: createWebhookEndpoint,
  GetWebhookEndpoints: list('webhook_endpoint', []),
  PostWebhookEndpointsWebhookEndpoint: () => {
    throw invalidRequest('Tatami does not change webhook endpoints.')
  },
  DeleteWebhookEndpointsWebhookEndpoint: ({ store, id }) => {
    findObject(store, 'webhook_endpoint', id)
    store.webhook_endpoint.delete(id)
    return { id, object: 'webhook_endpoint', deleted: true }
  },
}
