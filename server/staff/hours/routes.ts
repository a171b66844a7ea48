import { hoursApi } from '@tatami/contract/staff/hours'
import { workPinsApi } from '@tatami/contract/staff/work-pins'
import type { Tx } from '../../db/database.ts'
import { type App, type DojoCaller, type Kiosk, okReply, serve } from '../../http/serve.ts'
import { Refusal } from '../../lib/refusal.ts'
import { runWithoutLimits } from '../../lib/request-context.ts'
import { addHours, approveHours, changeHours, removeHours } from './hours.ts'
import { lookUpWorker, recordWork } from './kiosk-work.ts'
import { readOwnHours } from './own-hours.ts'
import { dropShift, settleShift } from './shifts.ts'
import { addTaughtClass, declineClass } from './taught-classes.ts'
import { createWorkPin, removeWorkPin } from './work-pins.ts'

export function hoursRoutes(app: App): void {
  /** Staff who see only some classes may have taught another class as a substitute. */
  const inWholeDojo = <Reply>(
    { dojoId }: DojoCaller,
    work: (tx: Tx) => Promise<Reply>,
  ): Promise<Reply> => runWithoutLimits(() => app.db.inDojo(dojoId, work))
  serve(app, hoursApi, {
    own: {
      withoutTransaction: ({ caller, query }) =>
        inWholeDojo(caller, (tx) => readOwnHours(tx, caller, query.day)),
    },
    add: ({ tx, caller, body }) => addHours(tx, caller, body),
    addClass: {
      withoutTransaction: ({ caller, body }) =>
        inWholeDojo(caller, (tx) => addTaughtClass(tx, caller, body)),
    },
    declineClass: {
      withoutTransaction: ({ caller, query }) =>
        okReply(inWholeDojo(caller, (tx) => declineClass(tx, caller, query))),
    },
    change: ({ tx, caller, params, body }) => changeHours(tx, caller, params.id, body),
    remove: ({ tx, caller, params }) => okReply(removeHours(tx, caller, params.id)),
    approve: ({ tx, caller, body }) => okReply(approveHours(tx, caller, body.hours_ids)),
    settleShift: ({ tx, caller, params, body }) => settleShift(tx, caller, params.id, body),
    dropShift: ({ tx, caller, params }) => okReply(dropShift(tx, caller, params.id)),
  })
  /** Throws a returned refusal after the commit, so that wrong PINs are counted. */
  async function throwAfterCommit<Reply>(
    { dojoId }: Kiosk,
    work: (tx: Tx) => Promise<Reply | Refusal>,
  ): Promise<Reply> {
    const reply = await app.db.inDojo(dojoId, work)
    if (reply instanceof Refusal) throw reply
    return reply
  }
  serve(app, workPinsApi, {
    set: async ({ tx, caller }) => ({ pin: await createWorkPin(tx, caller) }),
    remove: ({ tx, caller }) => okReply(removeWorkPin(tx, caller)),
    lookUp: {
      withoutTransaction: ({ caller, body }) =>
        throwAfterCommit(caller, (tx) => lookUpWorker(tx, caller, body.pin)),
    },
    record: {
      withoutTransaction: ({ caller, body }) =>
        throwAfterCommit(caller, (tx) => recordWork(tx, caller, body)),
    },
  })
}
