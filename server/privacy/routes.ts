import { privacyApi } from '@tatami/contract/privacy/privacy'
import { type App, serve } from '../http/serve.ts'
import { privacyNotice, type PrivacySettings } from './privacy.ts'

export function privacyRoutes(app: App, settings: PrivacySettings) {
  const notice = privacyNotice(settings)
  serve(app, privacyApi, { show: { withoutTransaction: async () => notice } })
}
