import { consentApi } from '@tatami/contract/consent/consent'
import { studentConsentsApi } from '@tatami/contract/texting/student-consents'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { ADMIN_INBOX_ID } from '../notifications/notify.ts'
import { recordConsent } from './consent.ts'
import { listConsentsOfStudent } from './student-consents.ts'

export function consentRoutes(app: App) {
  serve(app, studentConsentsApi, {
    list: ({ tx, caller, params }) => listConsentsOfStudent(tx, caller.dojoId, params.id),
  })
  serve(app, consentApi, {
    submit: {
      // A public form has no dojo. Its idempotency key is stored as the super admins' data.
      withoutTransaction: ({ body, address, idempotently }) =>
        app.db.inDojo(ADMIN_INBOX_ID, (tx) =>
          idempotently(tx, async () => {
            await recordConsent(tx, body, address)
            return { ...SUCCESS, message: 'Your consent has been recorded.' }
          }),
        ),
    },
  })
}
