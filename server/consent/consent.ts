import { CONSENT_WORDING_VERSION, type ConsentForm } from '@tatami/contract/consent'
import type { Tx } from '../db/database.ts'
import { notifySuperAdmins } from '../notifications/notify.ts'
import { consents } from './tables.ts'

/** Records who agreed to which wording, when and from which address, and notifies the super admins. */
export async function recordConsent(tx: Tx, form: ConsentForm, address: string): Promise<void> {
  await tx.insert(consents).values({ ...form, address, wording_version: CONSENT_WORDING_VERSION })
  await notifySuperAdmins(tx, {
    title: 'Consent submitted',
    message: `${form.signature} agreed to text messages from ${form.sensei_name}.`,
  })
}
