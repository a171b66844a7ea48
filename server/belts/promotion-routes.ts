import { promotionsApi } from '@tatami/contract/promotions'
import { type App, serve } from '../http/serve.ts'
import { giveStripes, promote } from './promotions.ts'
import { undoAct, undoPromotion } from './undo.ts'

export const promotionRoutes = (app: App) =>
  serve(app, promotionsApi, {
    promote: ({ tx, caller, body }) => promote(tx, caller, body),
    giveStripes: ({ tx, caller, body }) => giveStripes(tx, caller, body),
    undoAct: ({ tx, caller, params }) => undoAct(tx, caller, params.id),
    undo: ({ tx, caller, params }) => undoPromotion(tx, caller, params.id),
  })
