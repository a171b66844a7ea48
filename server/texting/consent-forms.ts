import type { ConsentForm } from '@tatami/contract/consent/consent'
import { and, eq } from 'drizzle-orm'
import { consentPhoneEnding, consents } from '../consent/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { pluck } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { ADMIN_INBOX_ID, NOTIFICATIONS_CHANGED } from '../notifications/notify.ts'
import { notifications } from '../notifications/tables.ts'
import { wherePhoneEnding } from './phones.ts'

export const buildConsentNotice = ({
  signature,
  sensei_name,
}: Pick<ConsentForm, 'signature' | 'sensei_name'>) => ({
  title: 'Consent submitted',
  message: `${signature} agreed to text messages from ${sensei_name}.`,
})

/** Deletes the personal data in the signed forms for a phone. The wording, the dates and a hash of
 *  the phone remain as proof of the consent. */
export async function forgetConsentForms(tx: Tx, phone: string): Promise<void> {
  const candidateForms = await tx
    .select()
    .from(consents)
    .where(wherePhoneEnding(consentPhoneEnding, [phone]))
  const forms = candidateForms.filter(({ phone_number }) => validPhone(phone_number) === phone)
  if (forms.length === 0) return
  await tx
    .update(consents)
    .set({ phone_number: sha256(phone), email: null, signature: null, address: null })
    .where(equalsAny(consents.id, pluck(forms, 'id')))
  await insideDojo(tx, ADMIN_INBOX_ID, async (adminTx) => {
    for (const { signature, sensei_name } of forms) {
      if (signature === null) continue
      const { title, message } = buildConsentNotice({ signature, sensei_name })
      await adminTx
        .delete(notifications)
        .where(and(eq(notifications.title, title), eq(notifications.message, message)))
    }
    await adminTx.publish(NOTIFICATIONS_CHANGED, ADMIN_INBOX_ID)
  })
}
