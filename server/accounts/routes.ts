import { passwordsApi } from '@tatami/contract/accounts/passwords'
import { type App, serve } from '../http/serve.ts'
import { isCommonPassword, readPasswordRules, setPasswordRules } from './password-rules.ts'

export const passwordRoutes = (app: App) =>
  serve(app, passwordsApi, {
    check: {
      withoutTransaction: async ({ body }) => ({
        is_common: await isCommonPassword(body.password),
      }),
    },
    rules: ({ tx }) => readPasswordRules(tx),
    setRules: ({ tx, caller, body }) => setPasswordRules(tx, caller.id, body),
  })
