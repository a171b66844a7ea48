import { promotionsApi } from '@tatami/contract/belts/promotions'
import { type App, serve } from '../http/serve.ts'
import { giveStripes, previewPromotions, promote } from './promotions.ts'
import { recentActs } from './recent-acts.ts'
import { undoAct, undoPromotion } from './undo.ts'

export const promotionRoutes = (app: App) =>
  serve(app, promotionsApi, {
    promote: ({ tx, caller, body }) => promote(tx, caller, body),
    preview: ({ tx, caller, body }) => previewPromotions(tx, caller, body),
    acts: async ({ tx }) => ({ acts: await recentActs(tx) }),
    giveStripes: ({ tx, caller, body }) => giveStripes(tx, caller, body),
    undoAct: ({ tx, caller, params }) => undoAct(tx, caller, params.id),
    undo: ({ tx, caller, params }) => undoPromotion(tx, caller, params.id),
  })
