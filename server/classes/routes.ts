import { classesApi } from '@tatami/contract/classes/classes'
import { type App, serve, okReply } from '../http/serve.ts'
import {
  addClass,
  listClasses,
  changeClass,
  countClassDeletionImpact,
  deleteClass,
} from './classes.ts'

export const classesRoutes = (app: App) =>
  serve(app, classesApi, {
    list: ({ tx }) => listClasses(tx),
    create: ({ tx, body }) => addClass(tx, body),
    update: ({ tx, params, body }) => changeClass(tx, params.id, body),
    remove: ({ tx, caller, params }) => okReply(deleteClass(tx, caller, params.id)),
    deletionImpact: ({ tx, params }) => countClassDeletionImpact(tx, params.id),
  })
