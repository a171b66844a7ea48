import { formatDecimal } from '@tatami/contract/lib/money'
import { monthKey } from '@tatami/contract/lib/calendar-day'
import { type MonthState, monthStateOf } from '@tatami/contract/ledger/payment-records'
import {
  and,
  asc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import { attendance } from '../attendance/tables.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { classes } from '../classes/tables.ts'
import { textConsents } from '../consent/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { excuses } from '../calendar/excuses/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { sha256 } from '../lib/secrets.ts'
import { notFound } from '../lib/refusal.ts'
import { omit, pick } from '../lib/rows.ts'
import { charges, ledgerLines, paymentRecords } from '../ledger/tables.ts'
import { monthDues } from '../dues/month-dues.ts'
import { beltChanges, ranks, styles } from '../belts/tables.ts'
import { enrollments, pastVacations, studentNotes, students } from '../students/tables.ts'
import { whereConsentOf, findHashedWithdrawals } from '../texting/consents.ts'
import { FEE_KINDS } from '../texting/fee-texts.ts'
import { incomingTexts, messageBatches, messages, textId } from '../texting/tables.ts'
import type { CsvRow } from './csv.ts'
import type { FileReader } from './student-reader.ts'
import { MORE_STUDENT_COLUMNS } from './students-csv.ts'

export const LISTS = [
  { name: 'attendance', description: 'every class that was marked' },
  { name: 'belt_changes', description: 'each new belt' },
  { name: 'past_vacations', description: 'vacations that are over' },
  { name: 'excuses', description: 'classes that the student was excused from' },
  { name: 'places', description: 'requested places and waitlists' },
  { name: 'payments', description: 'every month that was marked' },
  { name: 'ledger', description: 'charges, payments and refunds' },
  { name: 'guardians', description: 'guardians with their permissions' },
  { name: 'texts', description: 'texts about the student' },
  { name: 'replies', description: 'replies to those texts' },
  { name: 'text_consents', description: 'agreements to texts, and opt-outs' },
] as const
type Lists = Partial<Record<(typeof LISTS)[number]['name'], CsvRow[]>>
export type StudentFile = { name: string; student: CsvRow; lists: Lists }

export async function readStudentFile(
  tx: Tx,
  id: string,
  reader: FileReader,
): Promise<StudentFile> {
  const isInstructor = reader.kind === 'instructor'
  const [row] = await tx.select().from(students).where(eq(students.id, id))
  if (!row) throw notFound('Student')
  const student = {
    ...pick(row, 'name', 'belt_level', 'date_of_birth', 'gender', 'is_trial', 'on_vacation'),
    ...pick(row, 'belt_size', 'vacation_from', 'vacation_until'),
    ...(reader.kind !== 'guardian' && { email: row.email }),
    ...(reader.seesContact && { phone_number: row.phone_number }),
    ...(reader.seesEmergencyContact &&
      pick(row, 'emergency_contact_name', 'emergency_contact_phone')),
    ...(reader.seesFees && pick(row, 'monthly_payment_amount', 'payment_method')),
    ...(isInstructor && pick(row, ...MORE_STUDENT_COLUMNS)),
    enrolled_at: row.created_at,
    classes: (await readClassNames(tx, id)).join('; '),
    ...(isInstructor && (await readNotes(tx, id))),
  }
  const lists: Lists = {
    attendance: await readAttendance(tx, id),
    belt_changes: await readBeltChanges(tx, id, isInstructor),
    past_vacations: await tx
      .select(pick(pastVacations, 'vacation_from', 'vacation_until'))
      .from(pastVacations)
      .where(eq(pastVacations.student_id, id))
      .orderBy(asc(pastVacations.vacation_from)),
    excuses: await readExcuses(tx, id, isInstructor),
    places: await readPlaces(tx, id),
    ...(reader.seesFees && {
      payments: await readPayments(tx, row, reader),
      ledger: await readLedger(tx, id, reader),
    }),
    ...(isInstructor && { guardians: await readGuardians(tx, id) }),
    ...(await readTexts(tx, id, row.phone_number, reader)),
  }
  return { name: row.name, student, lists }
}

async function readClassNames(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .select({ name: classes.class_name })
    .from(enrollments)
    .innerJoin(classes, eq(classes.id, enrollments.class_id))
    .where(eq(enrollments.student_id, id))
    .orderBy(asc(enrollments.created_at))
  return rows.map(({ name }) => name)
}

async function readNotes(tx: Tx, id: string) {
  const { allergies, medical_note, private_notes } = studentNotes
  const [notes] = await tx
    .select({ allergies, medical_note, private_notes })
    .from(studentNotes)
    .where(eq(studentNotes.student_id, id))
  return notes ?? {}
}

function readAttendance(tx: Tx, id: string) {
  const { class_date, class_name, class_time, class_location, present } = attendance
  return tx
    .select({ class_date, class_name, class_time, class_location, present })
    .from(attendance)
    .where(eq(attendance.student_id, id))
    .orderBy(asc(class_date), asc(attendance.id))
}

/** Lists the oldest change first. A change that was undone is marked as corrected. */
async function readBeltChanges(tx: Tx, id: string, isInstructor: boolean): Promise<CsvRow[]> {
  const { changed_at, given_on, kind, previous_belt, belt_level, stripes, examiner, waived, note } =
    beltChanges
  const undos = alias(beltChanges, 'undos')
  const rows = await tx
    .select({
      changed_at,
      given_on,
      kind,
      previous_belt,
      belt_level,
      style: styles.name,
      rank: ranks.name,
      stripes,
      examiner,
      corrected: sql<boolean>`${isNotNull(undos.id)}`,
      waived,
      note,
    })
    .from(beltChanges)
    .leftJoin(styles, eq(styles.id, beltChanges.style_id))
    .leftJoin(ranks, eq(ranks.id, beltChanges.rank_id))
    .leftJoin(undos, eq(undos.undoes, beltChanges.id))
    .where(and(eq(beltChanges.student_id, id), isNull(beltChanges.undoes)))
    .orderBy(asc(given_on), asc(changed_at), asc(beltChanges.id))
  return rows.map(({ waived: waivedRules, note: changeNote, ...row }) => ({
    ...row,
    ...(isInstructor && { waived: waivedRules.join(', '), note: changeNote }),
  }))
}

/** Only instructors see the source of an excuse, because it may be another guardian. */
const readExcuses = (tx: Tx, id: string, isInstructor: boolean): Promise<CsvRow[]> =>
  tx
    .select({
      class_date: excuses.class_date,
      class_name: classes.class_name,
      ...(isInstructor && { source: excuses.source }),
    })
    .from(excuses)
    .innerJoin(classes, eq(classes.id, excuses.class_id))
    .where(eq(excuses.student_id, id))
    .orderBy(asc(excuses.class_date))

const readPlaces = (tx: Tx, id: string): Promise<CsvRow[]> =>
  tx
    .select({
      day: placeRequests.day,
      class_name: classes.class_name,
      asked_at: placeRequests.created_at,
      given_at: placeRequests.given_at,
    })
    .from(placeRequests)
    .innerJoin(classes, eq(classes.id, placeRequests.class_id))
    .where(eq(placeRequests.student_id, id))
    .orderBy(asc(placeRequests.day), asc(classes.class_name))

type PaymentRow = typeof paymentRecords.$inferSelect

async function readPayments(
  tx: Tx,
  { id, dojo_id }: { id: string; dojo_id: string },
  { seesPriceReasons }: FileReader,
): Promise<CsvRow[]> {
  const records = await tx
    .select()
    .from(paymentRecords)
    .where(eq(paymentRecords.student_id, id))
    .orderBy(asc(paymentRecords.payment_year), asc(paymentRecords.payment_month))
  const rows: CsvRow[] = []
  for (const record of records) {
    const { payment_year, payment_month, amount, marked_at, price_reason } = record
    const payment_status = await readMonthState(tx, dojo_id, record)
    rows.push({
      month: monthKey({ month: payment_month, year: payment_year }),
      payment_status,
      amount: formatDecimal(payment_status === 'nothing_due' ? 0 : amount),
      ...(seesPriceReasons && { price_reason }),
      marked_at,
    })
  }
  return rows
}

async function readMonthState(tx: Tx, dojoId: string, record: PaymentRow): Promise<MonthState> {
  const { payment_status, amount, student_id } = record
  const status = { payment_status, monthly_payment_amount: amount }
  if (payment_status === 'paid') return monthStateOf(status, undefined)
  const month = { month: record.payment_month, year: record.payment_year }
  const dues = await monthDues(tx, dojoId, month, [student_id])
  return monthStateOf(status, dues.get(student_id))
}

async function readLedger(
  tx: Tx,
  id: string,
  { kind, seesPriceReasons }: FileReader,
): Promise<CsvRow[]> {
  const rows = await tx
    .select({ line: ledgerLines, charge: charges })
    .from(ledgerLines)
    .leftJoin(charges, eq(charges.id, ledgerLines.charge_id))
    .where(eq(ledgerLines.student_id, id))
    .orderBy(asc(ledgerLines.created_at), asc(ledgerLines.id))
  return rows.map(({ line, charge }) => ({
    made_on: line.made_on,
    line: line.kind,
    charge: charge?.kind ?? null,
    month: charge?.year ? monthKey({ month: charge.month!, year: charge.year }) : null,
    amount: line.amount,
    method: line.method,
    ...(seesPriceReasons && { reason: line.reason }),
    ...(kind === 'instructor' && { note: line.note }),
  }))
}

async function readGuardians(tx: Tx, id: string): Promise<CsvRow[]> {
  const rights = omit(getTableColumns(guardianships), 'dojo_id', 'student_id', 'guardian_id')
  return tx
    .select({ name: guardians.name, phone: guardians.phone, email: guardians.email, ...rights })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, id), isNull(guardianships.ended_at)))
    .orderBy(asc(guardianships.since))
}

/** Matches an amount of money, such as "$130", "130 dollars" or "130.00". */
const MONEY_AMOUNT = '[$＄] ?[0-9]|[0-9] ?([$＄]|dollars?|bucks|usd)|[0-9][.,][0-9]{2}($|[^0-9])'
const hasNoAmount = sql`${messages.text} !~* ${MONEY_AMOUNT}`
const isNotAboutFees = and(
  notInArray(messageBatches.kind, FEE_KINDS),
  isNull(messages.amount),
  hasNoAmount,
)

/** SQL condition: no student outside the list got the same text. */
function isOnlyAbout(studentIds: string[]): SQL {
  const sharedTexts = alias(messages, 'sharing')
  return sql`not exists (select from ${messages} as sharing
    where coalesce(${sharedTexts.sent_with}, ${sharedTexts.id}) = ${textId}
    and not ${equalsAny(sharedTexts.student_id, studentIds)})`
}

async function readTexts(
  tx: Tx,
  id: string,
  ownPhone: string | null,
  { kind, seesFees, phones, studentIds, feeStudentIds }: FileReader,
): Promise<Lists> {
  const isReadablePhone = (column: PgColumn): SQL | undefined =>
    phones ? equalsAny(column, phones) : undefined
  const texts = await tx
    .select({
      at: messages.sent_at,
      phone: messages.phone,
      text: messages.text,
      state: messages.state,
    })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      and(
        eq(messages.student_id, id),
        ne(messages.state, 'skipped'),
        isReadablePhone(messages.phone),
        seesFees ? undefined : isNotAboutFees,
        studentIds ? isOnlyAbout(studentIds) : undefined,
        feeStudentIds ? or(isNotAboutFees, isOnlyAbout(feeStudentIds)) : undefined,
      ),
    )
    .orderBy(asc(messages.id))
  const replies = await tx
    .select({ at: incomingTexts.received_at, phone: incomingTexts.phone, text: incomingTexts.text })
    .from(incomingTexts)
    .where(and(eq(incomingTexts.student_id, id), isReadablePhone(incomingTexts.phone)))
    .orderBy(asc(incomingTexts.id))
  const { at, phone, event, source, topics, wording_version, given_by, words } = textConsents
  const consentPhones = phones ?? [validPhone(ownPhone)].filter((number) => number !== null)
  const optOuts = await findHashedWithdrawals(tx, consentPhones)
  const consents = await tx
    .select({
      at,
      phone,
      event,
      source,
      topics,
      wording_version,
      ...(kind === 'instructor' && { given_by, words }),
    })
    .from(textConsents)
    .where(whereConsentOf(consentPhones, optOuts))
    .orderBy(asc(textConsents.id))
  const phoneByHash = new Map(consentPhones.map((number) => [sha256(number), number]))
  const text_consents = consents.map((consent) => ({
    ...consent,
    phone: phoneByHash.get(consent.phone) ?? consent.phone,
  }))
  return { texts, replies, text_consents }
}
