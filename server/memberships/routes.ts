import {
  membershipFiguresApi,
  membershipListApi,
} from '@tatami/contract/memberships/membership-figures'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { ownMembershipsApi } from '@tatami/contract/memberships/own-memberships'
import { type App, serve } from '../http/serve.ts'
import { changeFor, endFor, keepFor, previewOf, startFor, undoFor } from './acts.ts'
import type { Mailer } from '../lib/mail.ts'
import {
  endAndTell,
  noticesOfChange,
  noticesOfKeeping,
  noticesOfUndo,
  tellingActs,
  tellStaff,
} from './act-notices.ts'
import { subscriptionById } from './end.ts'
import { membershipFigures } from './figures.ts'
import { listMemberships } from './list.ts'
import { previewStart } from './requested-plan.ts'
import { endOwnSubscription, keepOwnSubscription, listOwnMemberships } from './own.ts'
import { showMembership } from './show.ts'

export function membershipsRoutes(app: App, mail: Mailer) {
  const telling = tellingActs(app, mail)
  serve(app, membershipsApi, {
    show: ({ tx, caller, params }) => showMembership(tx, caller.dojoId, params.id),
    previewStart: ({ tx, caller, params, body }) => previewStart(tx, caller, params.id, body),
    start: ({ tx, caller, params, body }) => startFor(tx, caller, params.id, body),
    previewChange: ({ tx, caller, params, body }) =>
      previewOf(tx, () => changeFor(tx, caller, params.id, body)),
    change: telling(async ({ tx, caller, params, body }) => {
      const reply = await changeFor(tx, caller, params.id, body)
      return { reply, notices: await noticesOfChange(tx, caller.dojoId, reply) }
    }),
    undo: telling(async ({ tx, caller, params }) => {
      const subscription = await subscriptionById(tx, params.id)
      const reply = await undoFor(tx, caller, params.id)
      return { reply, notices: await noticesOfUndo(tx, subscription, reply) }
    }),
    previewEnd: ({ tx, caller, params, body }) =>
      previewOf(tx, () => endFor(tx, caller, params.id, body)),
    end: telling(({ tx, caller, params, body }) =>
      endAndTell(tx, caller.dojoId, params.id, () => endFor(tx, caller, params.id, body)),
    ),
    keep: telling(async ({ tx, caller, params }) => {
      const subscription = await subscriptionById(tx, params.id)
      const reply = await keepFor(tx, caller, params.id)
      return { reply, notices: await noticesOfKeeping(tx, subscription) }
    }),
  })
  serve(app, membershipListApi, {
    list: ({ tx, caller }) => listMemberships(tx, caller.dojoId),
  })
  serve(app, membershipFiguresApi, {
    show: { onReplica: ({ tx, caller }) => membershipFigures(tx, caller.dojoId) },
  })
  serve(app, ownMembershipsApi, {
    list: ({ tx, caller }) => listOwnMemberships(tx, caller),
    previewEnd: ({ tx, caller, params, body }) =>
      previewOf(tx, () => endOwnSubscription(tx, caller, params.id, body)),
    end: telling(async ({ tx, caller, params, body }) => {
      const result = await endAndTell(tx, caller.dojoId, params.id, () =>
        endOwnSubscription(tx, caller, params.id, body),
      )
      await tellStaff(tx, caller.dojoId, result.notices)
      return result
    }),
    keep: telling(async ({ tx, caller, params }) => {
      const subscription = await subscriptionById(tx, params.id)
      const reply = await keepOwnSubscription(tx, caller, params.id)
      const notices = await noticesOfKeeping(tx, subscription)
      await tellStaff(tx, caller.dojoId, notices)
      return { reply, notices }
    }),
  })
}
