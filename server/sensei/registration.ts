import type { SenseiRegistration } from '@tatami/contract/sensei/sensei'
import { createAccount } from '../accounts/accounts.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { insertDojo } from '../dojos/dojos.ts'
import { notifySuperAdmins } from '../notifications/notify.ts'
import { newId } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { startLedger } from '../dues/month-charges.ts'
import { staffMembers } from '../staff/tables.ts'
import { instructors } from './tables.ts'

/** The instructor can sign in after the admin team has activated the account. */
export async function registerSensei(
  db: Database,
  form: SenseiRegistration,
  address: string,
): Promise<void> {
  await refuseCommonPassword(db, 'password', form.password)
  const { first_name, last_name, email, dojo_name } = form
  const personalTexts = [first_name, last_name, email, dojo_name]
  await db.withoutDojo((tx) => refusePersonalPassword(tx, 'password', form.password, personalTexts))
  await addSensei(db, form, await hashPassword(form.password, requesterByAddress(address)))
}

export async function addSensei(
  db: Database,
  form: SenseiRegistration,
  password_hash: string,
): Promise<{ id: string; dojoId: string }> {
  const dojoId = newId(),
    id = newId()
  const number = `${form.contact_area_code}${form.contact_number}`
  await db.inDojo(dojoId, async (tx) => {
    await insertDojo(tx, { id: dojoId, name: form.dojo_name, city: form.city, state: form.state })
    await startLedger(tx, dojoId)
    await createAccount(tx, {
      id,
      email: form.email,
      password_hash,
      role: 'instructor',
      dojo_id: dojoId,
      is_active: false,
    })
    await tx.insert(instructors).values({
      id,
      name: `${form.first_name} ${form.last_name}`,
      email: form.email,
      contact_number: number,
      phone_number: number,
    })
    await tx.insert(staffMembers).values({ instructor_id: id, is_owner: true })
    await notifySuperAdmins(tx, {
      title: 'New sensei registered',
      message: `${form.first_name} ${form.last_name} of ${form.dojo_name} awaits activation.`,
    })
  })
  return { id, dojoId }
}
