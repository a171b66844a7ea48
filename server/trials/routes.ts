import { type Booking, trialsApi } from '@tatami/contract/trials/trials'
import type { Tx } from '../db/database.ts'
import { type App, serve } from '../http/serve.ts'
import { mountBookingPages, type BookingOptions } from './booking-routes.ts'
import {
  approveBooking,
  type BookingWithLead,
  cancelBookingAsStaff,
  listBookings,
  markBooking,
  readBooking,
} from './bookings.ts'
import { checkInTrial } from './check-in.ts'
import { mountLinkPages } from './link-routes.ts'
import { addOffer, changeOffer, listOffers } from './offers.ts'
import { mountPaymentPages } from './payment-routes.ts'
import { tellVisitor } from './tell-visitor.ts'

export function trialRoutes(app: App, options: BookingOptions): void {
  const { mail, publicUrl } = options
  /** Tells the visitor by email after the commit, if something was changed. */
  async function changeAndTell(
    dojoId: string,
    id: string,
    kind: 'booked' | 'canceled',
    change: (tx: Tx) => Promise<BookingWithLead | null>,
  ): Promise<Booking> {
    const { booking, email } = await app.db.inDojo(dojoId, async (tx) => {
      const changedBooking = await change(tx)
      const messages =
        changedBooking && (await tellVisitor(tx, dojoId, kind, changedBooking, publicUrl))
      return { booking: await readBooking(tx, dojoId, id), email: messages?.email }
    })
    if (email) mail.send(email)
    return booking
  }
  serve(app, trialsApi, {
    offers: ({ tx }) => listOffers(tx),
    addOffer: ({ tx, caller, body }) => addOffer(tx, caller, body),
    changeOffer: ({ tx, caller, params, body }) => changeOffer(tx, caller, params.id, body),
    list: ({ tx, caller, query }) => listBookings(tx, caller.dojoId, query),
    mark: ({ tx, caller, params, body }) => markBooking(tx, caller, params.id, body.state),
    approve: {
      withoutTransaction: ({ caller, params: { id } }) =>
        changeAndTell(caller.dojoId, id, 'booked', (tx) => approveBooking(tx, caller, id)),
    },
    cancel: {
      withoutTransaction: ({ caller, params: { id } }) =>
        changeAndTell(caller.dojoId, id, 'canceled', (tx) => cancelBookingAsStaff(tx, caller, id)),
    },
    checkIn: ({ tx, caller, body }) => checkInTrial(tx, caller, body.code, publicUrl),
  })
  mountBookingPages(app, options)
  mountPaymentPages(app, options)
  mountLinkPages(app, options)
}
