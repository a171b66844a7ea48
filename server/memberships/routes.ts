import {
  membershipFiguresApi,
  membershipListApi,
} from '@tatami/contract/memberships/membership-figures'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { ownMembershipsApi } from '@tatami/contract/memberships/own-memberships'
import { type App, serve } from '../http/serve.ts'
import { changeFor, endFor, keepFor, previewOf, startFor } from './acts.ts'
import { membershipFigures } from './figures.ts'
import { listMemberships } from './list.ts'
import { endOwnSubscription, keepOwnSubscription, listOwnMemberships } from './own.ts'
import { showMembership } from './show.ts'

export function membershipsRoutes(app: App) {
  serve(app, membershipsApi, {
    show: ({ tx, caller, params }) => showMembership(tx, caller.dojoId, params.id),
    previewStart: ({ tx, caller, params, body }) =>
      previewOf(tx, () => startFor(tx, caller, params.id, body)),
    start: ({ tx, caller, params, body }) => startFor(tx, caller, params.id, body),
    previewChange: ({ tx, caller, params, body }) =>
      previewOf(tx, () => changeFor(tx, caller, params.id, body)),
    change: ({ tx, caller, params, body }) => changeFor(tx, caller, params.id, body),
    previewEnd: ({ tx, caller, params, body }) =>
      previewOf(tx, () => endFor(tx, caller, params.id, body)),
    end: ({ tx, caller, params, body }) => endFor(tx, caller, params.id, body),
    keep: ({ tx, caller, params }) => keepFor(tx, caller, params.id),
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
    end: ({ tx, caller, params, body }) => endOwnSubscription(tx, caller, params.id, body),
    keep: ({ tx, caller, params }) => keepOwnSubscription(tx, caller, params.id),
  })
}
