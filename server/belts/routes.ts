import { beltsApi } from '@tatami/contract/belts/belts'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi } from '@tatami/contract/belts/readiness'
import { okReply, type App, serve } from '../http/serve.ts'
import { addStyle, changeStyle, removeStyle } from './change-styles.ts'
import { convert, previewConversion } from './conversion.ts'
import { LADDER_TEMPLATES } from './ladder-templates.ts'
import { addLadder, changeLadder, removeLadder } from './ladders.ts'
import { previewPromotions, promote } from './promotions.ts'
import { listRecentBatches } from './recent-batches.ts'
import { undoBatch, undoPromotion } from './undo.ts'
import { readReadyList } from './ready-list.ts'
import { approve, checkSkill } from './skill-checks.ts'
import { giveStripes } from './stripes.ts'
import { readOwnBelts, readStudentBelts } from './student-belts.ts'
import { readBelts, readLadder, readStyle } from './read-belts.ts'

export function beltsRoutes(app: App) {
  serve(app, beltsApi, {
    show: ({ tx }) => readBelts(tx),
    templates: async () => [...LADDER_TEMPLATES],
    addStyle: async ({ tx, caller, body }) => readStyle(tx, await addStyle(tx, caller, body)),
    changeStyle: async ({ tx, caller, params, body }) => {
      await changeStyle(tx, caller, params.id, body)
      return readStyle(tx, params.id)
    },
    removeStyle: ({ tx, caller, params }) => okReply(removeStyle(tx, caller, params.id)),
    addLadder: async ({ tx, caller, params, body }) =>
      readLadder(tx, await addLadder(tx, caller, params.id, body)),
    changeLadder: async ({ tx, caller, params, body }) => {
      await changeLadder(tx, caller, params.id, body)
      return readLadder(tx, params.id)
    },
    removeLadder: ({ tx, caller, params }) => okReply(removeLadder(tx, caller, params.id)),
    conversionPreview: ({ tx, caller, params }) => previewConversion(tx, caller, params.id),
    convert: ({ tx, caller, params, body }) => convert(tx, caller, params.id, body),
  })
  serve(app, promotionsApi, {
    promote: ({ tx, caller, body }) => promote(tx, caller, body),
    preview: ({ tx, caller, body }) => previewPromotions(tx, caller, body),
    recentBatches: async ({ tx }) => ({ acts: await listRecentBatches(tx) }),
    giveStripes: ({ tx, caller, body }) => giveStripes(tx, caller, body),
    undoBatch: ({ tx, caller, params }) => undoBatch(tx, caller, params.id),
    undo: ({ tx, caller, params }) => undoPromotion(tx, caller, params.id),
  })
  serve(app, readinessApi, {
    ready: ({ tx, caller, query }) => readReadyList(tx, caller.dojoId, query),
    ofStudent: ({ tx, caller, params }) => readStudentBelts(tx, caller.dojoId, params.id),
    own: ({ tx, caller }) => readOwnBelts(tx, caller),
    checkSkill: ({ tx, caller, params, body }) =>
      okReply(checkSkill(tx, caller, params.id, params.skillId, body.checked)),
    approve: ({ tx, caller, params, body }) =>
      okReply(approve(tx, caller, params.id, params.rankId, body.approved)),
  })
}
