import { dojosApi } from '@tatami/contract/dojos/dojos'
import { type App, okReply, serve } from '../http/serve.ts'
import { readInvitation, recordSharing, renewInvitation } from './invitation.ts'

export const dojosRoutes = (app: App, publicUrl: string) =>
  serve(app, dojosApi, {
    invitation: ({ tx, caller }) => readInvitation(tx, caller.dojoId, publicUrl),
    renewInvitation: async ({ tx, caller }) => {
      await renewInvitation(tx, caller)
      return readInvitation(tx, caller.dojoId, publicUrl)
    },
    recordSharing: ({ tx, caller }) => okReply(recordSharing(tx, caller.dojoId)),
  })
