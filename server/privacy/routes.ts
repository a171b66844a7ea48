import { privacyApi } from '@tatami/contract/privacy/privacy'
import { type App, serve } from '../http/serve.ts'
import { buildPrivacyNotice, type PrivacySettings } from './privacy.ts'

export function privacyRoutes(app: App, settings: PrivacySettings) {
  const notice = buildPrivacyNotice(settings)
  serve(app, privacyApi, { show: { withoutTransaction: async () => notice } })
}
