import { holdsApi } from '@tatami/contract/memberships/holds'
import { packsApi } from '@tatami/contract/memberships/packs'
import { type App, okReply, serve } from '../http/serve.ts'
import { addHold, deleteHold, endHold, reopenHold } from './holds.ts'
import { sellPack } from './packs.ts'
import { previewHold } from './preview-holds.ts'

export const holdsRoutes = (app: App) =>
  serve(app, holdsApi, {
    preview: ({ tx, caller, params, body }) => previewHold(tx, caller, params.id, body),
    create: ({ tx, caller, params, body }) => addHold(tx, caller, params.id, body),
    end: ({ tx, caller, params, body }) => endHold(tx, caller, params.id, body.ends_on ?? null),
    reopen: ({ tx, caller, params }) => reopenHold(tx, caller, params.id),
    remove: ({ tx, caller, params }) => okReply(deleteHold(tx, caller, params.id)),
  })

export const packsRoutes = (app: App) =>
  serve(app, packsApi, {
    sell: ({ tx, caller, params, body, hasIdempotencyKey }) =>
      sellPack(tx, caller, params.id, body, { maySellAgain: hasIdempotencyKey }),
  })
