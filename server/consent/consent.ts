import type { ConsentForm } from '@tatami/contract/consent/consent'
import { CONSENT_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { newId } from '../db/columns.ts'
import { asOverseer, insideDojo, type Tx } from '../db/database.ts'
import { notifySuperAdmins } from '../notifications/notify.ts'
import { buildConsentNotice } from '../texting/consent-forms.ts'
import { recordTextConsent } from '../texting/consents.ts'
import { findDojosWithPhone } from '../texting/dojos-with-phone.ts'
import { validPhone } from '../lib/phone.ts'
import { consents } from './tables.ts'

/** Stores a signed form, records consent in each dojo that has its phone, and notifies the super
 *  admins. */
export async function recordConsent(tx: Tx, form: ConsentForm, address: string): Promise<void> {
  const id = newId()
  await tx
    .insert(consents)
    .values({ ...form, id, address, wording_version: CONSENT_WORDING_VERSION })
  const phone = validPhone(form.phone_number)
  if (phone !== null) {
    const consent = { id, phone, event: 'given', source: 'form', given_by: form.signature } as const
    const dojos = await asOverseer(tx, (overseerTx) => findDojosWithPhone(overseerTx, phone))
    for (const dojoId of dojos.keys())
      await insideDojo(tx, dojoId, (dojoTx) =>
        recordTextConsent(dojoTx, {
          ...consent,
          address,
          wording_version: CONSENT_WORDING_VERSION,
        }),
      )
  }
  await notifySuperAdmins(tx, buildConsentNotice(form))
}
