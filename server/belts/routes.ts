import { beltsApi } from '@tatami/contract/belts/belts'
import { type App, serve, SUCCESS } from '../http/serve.ts'
import { addStyle, changeStyle, removeStyle } from './change-styles.ts'
import { convert, previewConversion } from './conversion.ts'
import { LADDER_TEMPLATES } from './ladder-templates.ts'
import { addLadder, changeLadder, removeLadder } from './ladders.ts'
import { shownBelts, shownLadder, shownStyle } from './shown-belts.ts'

export const beltsRoutes = (app: App) =>
  serve(app, beltsApi, {
    show: ({ tx }) => shownBelts(tx),
    templates: async () => [...LADDER_TEMPLATES],
    addStyle: async ({ tx, caller, body }) => shownStyle(tx, await addStyle(tx, caller, body)),
    changeStyle: async ({ tx, caller, params, body }) => {
      await changeStyle(tx, caller, params.id, body)
      return shownStyle(tx, params.id)
    },
    removeStyle: async ({ tx, caller, params }) => {
      await removeStyle(tx, caller, params.id)
      return SUCCESS
    },
    addLadder: async ({ tx, caller, params, body }) =>
      shownLadder(tx, await addLadder(tx, caller, params.id, body)),
    changeLadder: async ({ tx, caller, params, body }) => {
      await changeLadder(tx, caller, params.id, body)
      return shownLadder(tx, params.id)
    },
    removeLadder: async ({ tx, caller, params }) => {
      await removeLadder(tx, caller, params.id)
      return SUCCESS
    },
    conversionPreview: ({ tx, caller, params }) => previewConversion(tx, caller, params.id),
    convert: ({ tx, caller, params, body }) => convert(tx, caller, params.id, body),
  })
