import { senseiApi } from '@tatami/contract/sensei/sensei'
import type { Sessions } from '../accounts/sessions.ts'
import type { EndAccess } from '../accounts/suspect-access.ts'
import type { Mailer } from '../lib/mail.ts'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { buildActivationMail } from './activation-mail.ts'
import { readAuditLog } from './audit-log.ts'
import { registerSensei } from './registration.ts'
import { resetSenseiPassword } from './reset-password.ts'
import { listSensei, readSenseiStats, toggleActive } from './sensei.ts'

type Setup = {
  sessions: Sessions
  mail: Mailer
  endAccessSince: EndAccess
  publicUrl: string
  activationTime: string
}

export const senseiRoutes = (app: App, setup: Setup) => {
  const { sessions, mail, endAccessSince, publicUrl, activationTime } = setup
  serve(app, senseiApi, {
    register: {
      withoutTransaction: async ({ body, address }) => {
        await registerSensei(app.db, body, address)
        return {
          ...SUCCESS,
          message: 'Our admin team will activate your account. You can log in once it is active.',
          activation_time: activationTime,
          emails_activation: mail.isConfigured,
        }
      },
    },
    list: async ({ tx, query }) => ({ sensei_list: await listSensei(tx, query) }),
    stats: { onReplica: ({ tx }) => readSenseiStats(tx) },
    toggleActive: {
      withoutTransaction: async ({ caller, params }) => {
        const { is_active, email } = await app.db.withoutDojo(async (tx) => {
          const account = await toggleActive(tx, sessions, caller, params.id)
          return { ...account, email: await buildActivationMail(tx, account, publicUrl) }
        })
        if (email) mail.send(email)
        return { is_active, is_emailed: email !== null && mail.isConfigured }
      },
    },
    resetPassword: {
      withoutTransaction: async ({ caller, params, body }) => {
        await resetSenseiPassword(
          app.db,
          { sessions, mail, endAccessSince },
          caller,
          params.id,
          body,
        )
        return SUCCESS
      },
    },
    auditLog: ({ tx, query }) => readAuditLog(tx, query),
  })
}
