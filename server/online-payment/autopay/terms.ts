import { toCents, toDollars } from '@tatami/contract/lib/money'
import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { autopayWords, WORDING_VERSION } from '@tatami/contract/online-payment/autopay-words'
import type { AutopayForm, PayerHome } from '@tatami/contract/online-payment/payer-home'
import { and } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { currentMonthOf, dojoById } from '../../dojos/dojos.ts'
import { monthDues } from '../../dues/month-dues.ts'
import { nowIso } from '../../lib/clock.ts'
import { Refusal } from '../../lib/refusal.ts'
import { pick, pluck } from '../../lib/rows.ts'
import { isCurrentStudent, students } from '../../students/tables.ts'
import { type PayerPerson, studentsOfPayer } from '../payers.ts'
import type { AgreementTerms } from './tables.ts'

export const findCurrentStudents = async (tx: Tx, person: PayerPerson) =>
  tx
    .select(pick(students, 'id', 'name', 'is_trial', 'has_subscription'))
    .from(students)
    .where(and(equalsAny(students.id, await studentsOfPayer(tx, person)), isCurrentStudent))
    .orderBy(...byName(students))

/** What the words of an agreement are made of. */
export async function readTerms(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
): Promise<PayerHome['terms']> {
  const { name: school } = await dojoById(tx, dojoId)
  const currentStudents = await findCurrentStudents(tx, person)
  const ids = pluck(currentStudents, 'id')
  const month = await currentMonthOf(tx, dojoId)
  const dues = await monthDues(tx, dojoId, month, ids)
  // The month in which a plan begins may have only a part of it.
  const comingDues = await monthDues(tx, dojoId, nextMonth(month), ids)
  const cents = currentStudents
    .filter(({ is_trial }) => !is_trial)
    .reduce((sum, { id, has_subscription }) => {
      const studentsDues = has_subscription ? comingDues : dues
      return sum + (studentsDues.get(id)?.price ?? 0)
    }, 0)
  return { school, students: pluck(currentStudents, 'name'), usual_amount: toDollars(cents) }
}

export type Signer = { accountId: string; address: string; device: string }

const WORDS_CHANGED = 'What you would agree to has just changed. Please read it again.'
const MAX_DEVICE = 300

/** 409 if the payer read other words than the server would show now. */
export async function agreedTerms(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  form: AutopayForm,
  signer: Signer,
): Promise<AgreementTerms> {
  const { school, students: names, usual_amount } = await readTerms(tx, dojoId, person)
  const { day_of_month, limit = null } = form
  const words = autopayWords({
    school,
    students: names,
    usualAmount: usual_amount,
    dayOfMonth: day_of_month,
    limit,
  })
  if (words !== form.words) throw new Refusal(409, WORDS_CHANGED)
  return {
    wording_version: WORDING_VERSION,
    words,
    day_of_month,
    limit_cents: limit === null ? null : toCents(limit),
    student_ids: await studentsOfPayer(tx, person),
    agreed_at: nowIso(),
    agreed_by: signer.accountId,
    address: signer.address,
    device: signer.device.slice(0, MAX_DEVICE),
  }
}
