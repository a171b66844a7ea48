import { readinessApi } from '@tatami/contract/belts/readiness'
import { type App, serve, okReply } from '../http/serve.ts'
import { readyList } from './ready-list.ts'
import { approve, checkSkill } from './skill-checks.ts'
import { ownBelts, studentBelts } from './student-belts.ts'

export const readinessRoutes = (app: App) =>
  serve(app, readinessApi, {
    ready: ({ tx, caller, query }) => readyList(tx, caller.dojoId, query),
    ofStudent: ({ tx, caller, params }) => studentBelts(tx, caller.dojoId, params.id),
    own: ({ tx, caller }) => ownBelts(tx, caller),
    checkSkill: ({ tx, caller, params, body }) =>
      okReply(checkSkill(tx, caller, params.id, params.skillId, body.checked)),
    approve: ({ tx, caller, params, body }) =>
      okReply(approve(tx, caller, params.id, params.rankId, body.approved)),
  })
