import { profileApi } from '@tatami/contract/profile'
import type { Sessions } from '../accounts/sessions.ts'
import { signIn } from '../accounts/sign-in.ts'
import { type App, DONE, serve } from '../kernel/serve.ts'
import { userOf } from './profile.ts'

export const profileRoutes = (app: App, sessions: Sessions, maxFailures: number) => serve(app, profileApi, {
  login: {
    outside: async ({ body, address }) => {
      const { token, account: { id, role, dojo_id: dojoId } } = await signIn(app.db, body, address, maxFailures)
      const user = dojoId ? await app.db.inDojo(dojoId, (tx) => userOf(tx, { id, role, dojoId })) : await app.db.withoutDojo((tx) => userOf(tx, { id, role, dojoId }))
      return { token, user }
    },
  },
  logout: async ({ tx, caller }) => {
    await sessions.endSession(tx, caller.sessionId)
    return DONE
  },
  show: ({ tx, caller }) => userOf(tx, caller),
})
