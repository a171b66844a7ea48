import { classesApi } from '@tatami/contract/classes'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import {
  addClass,
  allClasses,
  changeClass,
  countClassDeletionImpact,
  deleteClass,
} from './classes.ts'

export const classesRoutes = (app: App) =>
  serve(app, classesApi, {
    list: ({ tx }) => allClasses(tx),
    create: ({ tx, body }) => addClass(tx, body),
    update: ({ tx, params, body }) => changeClass(tx, params.id, body),
    remove: async ({ tx, caller, params }) => {
      await deleteClass(tx, caller, params.id)
      return SUCCESS
    },
    deletionImpact: ({ tx, params }) => countClassDeletionImpact(tx, params.id),
  })
