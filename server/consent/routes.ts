import { consentApi } from '@tatami/contract/consent'
import { type App, DONE, serve } from '../kernel/serve.ts'
import { keepConsent } from './consent.ts'

export const consentRoutes = (app: App) =>
  serve(app, consentApi, {
    submit: async ({ tx, body, address }) => {
      await keepConsent(tx, body, address)
      return { ...DONE, message: 'Your consent has been recorded.' }
    },
  })
