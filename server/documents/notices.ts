/** Notices about documents: that one is asked for, that a signature ends soon, and that a student
 *  who is now an adult has to sign. */
import { EXPIRY_NOTICE_DAYS, isUnsigned } from '@tatami/contract/documents/signatures'
import { addDays, birthdayOf, daysBetween } from '@tatami/contract/lib/calendar-day'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { firstNames } from '@tatami/contract/texting/message-types'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { guardians } from '../guardians/tables.ts'
import { formatFullDate } from '../lib/format-day.ts'
import type { Email } from '../lib/mail.ts'
import { pluck } from '../lib/rows.ts'
import { notify, notifyStaff } from '../notifications/notify.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import { findNeedsOfStudents, type Need, type PersonNeeds } from './needed.ts'
import type { Person } from './people.ts'
import { isAskedToSign } from './signers.ts'
import { documentVersions, signatureDetails } from './tables.ts'

const [FIRST_NOTICE_DAYS, LAST_NOTICE_DAYS] = EXPIRY_NOTICE_DAYS
const OPENS = '/my-documents'

export const findDojosWithDocuments = (): SQL =>
  sql`select ${documentVersions.dojo_id} from ${documentVersions}`

/** The students of whom at least one account got a notice, and emails to send after the commit. */
type SentNotices = { emails: Email[]; reachedIds: Set<string> }
type Notice = { person: Person; need: Need; title: string; message: string }

/** The accounts that have to sign, with their email. */
async function findAskedAccounts(
  tx: Tx,
  { person, need }: Pick<Notice, 'person' | 'need'>,
  today: string,
): Promise<{ id: string; email: string | null; name: string }[]> {
  const guardianIds = person.guardians
    .map(({ guardian_id }) => guardian_id)
    .filter((id) => isAskedToSign(need, person, id, today))
  const guardianRows = await tx
    .select({ id: guardians.account_id, email: guardians.email, name: guardians.name })
    .from(guardians)
    .where(equalsAny(guardians.id, guardianIds))
  const isStudentAsked = person.email !== null && isAskedToSign(need, person, null, today)
  return [
    ...(isStudentAsked ? [{ id: person.id, email: person.email, name: person.name }] : []),
    ...guardianRows.flatMap(({ id, ...row }) => (id === null ? [] : { id, ...row })),
  ]
}

async function sendNotices(
  tx: Tx,
  dojoId: string,
  notices: readonly Notice[],
  today: string,
): Promise<SentNotices> {
  if (notices.length === 0) return { emails: [], reachedIds: new Set() }
  const letterhead = await readLetterhead(tx)
  const { name: dojoName } = await dojoById(tx, dojoId)
  const emails: Email[] = []
  const reachedIds = new Set<string>()
  for (const notice of notices) {
    const accounts = await findAskedAccounts(tx, notice, today)
    const { title, message, person } = notice
    if (accounts.length > 0) reachedIds.add(person.id)
    await notify(tx, dojoId, pluck(accounts, 'id'), {
      title,
      message,
      opens: OPENS,
      student_id: person.id,
    })
    for (const { email, name } of accounts)
      if (email)
        emails.push({
          to: email,
          letterhead,
          subject: `${dojoName}: ${title}`,
          text: `Hi ${name},\n\n${message} Log in to Tatami to sign.\n`,
        })
  }
  return { emails, reachedIds }
}

/** Asks everybody who has not signed the newest version of a document. */
export async function askToSign(
  tx: Tx,
  dojoId: string,
  documentId: string,
): Promise<SentNotices & { askedIds: Set<string> }> {
  const today = await todayOf(tx, dojoId)
  const notices = (await findNeedsOfStudents(tx, dojoId, null)).flatMap(({ person, needs }) =>
    needs
      .filter(({ document_id, state }) => document_id === documentId && state !== 'signed')
      .map((need) => ({
        person,
        need,
        title: 'Please sign',
        message: `“${need.name}” is ready to sign for ${firstNames([person.name])}.`,
      })),
  )
  const askedIds = new Set(notices.map(({ person }) => person.id))
  return { ...(await sendNotices(tx, dojoId, notices, today)), askedIds }
}

/** How many days ahead the notice is that should be sent by today. Null if it is too early. */
const noticeDaysAhead = (lastDay: string, today: string): number | null => {
  const daysLeft = daysBetween(today, lastDay)
  if (daysLeft < 0 || daysLeft > FIRST_NOTICE_DAYS) return null
  return daysLeft <= LAST_NOTICE_DAYS ? LAST_NOTICE_DAYS : FIRST_NOTICE_DAYS
}

type EndingSignature = { person: Person; need: Need; recordId: string; daysAhead: number }

async function findEndingSignatures(
  tx: Tx,
  peopleNeeds: readonly PersonNeeds[],
  today: string,
): Promise<EndingSignature[]> {
  const candidates = peopleNeeds.flatMap(({ person, needs }) =>
    needs.flatMap((need) => {
      const { record, expires_on, state } = need
      const daysAhead = expires_on === null ? null : noticeDaysAhead(expires_on, today)
      return record === null || daysAhead === null || isUnsigned(state)
        ? []
        : { person, need, recordId: record.id, daysAhead }
    }),
  )
  const rows = await tx
    .select({ id: signatureDetails.signature_id, sent: signatureDetails.noticed_days_ahead })
    .from(signatureDetails)
    .where(equalsAny(signatureDetails.signature_id, pluck(candidates, 'recordId')))
  const lastNotices = new Map(rows.map(({ id, sent }) => [id, sent]))
  return candidates.filter(({ recordId, daysAhead }) => {
    const lastNotice = lastNotices.get(recordId) ?? null
    return lastNotice === null || lastNotice > daysAhead
  })
}

/** A signature that still counts is asked for again once it ends soon. */
const asUnsigned = (need: Need): Need => ({ ...need, state: 'expired' })

async function recordNotices(tx: Tx, endingSignatures: readonly EndingSignature[]): Promise<void> {
  for (const daysAhead of EXPIRY_NOTICE_DAYS) {
    const ids = endingSignatures
      .filter((ending) => ending.daysAhead === daysAhead)
      .map(({ recordId }) => recordId)
    if (ids.length > 0)
      await tx
        .update(signatureDetails)
        .set({ noticed_days_ahead: daysAhead })
        .where(inArray(signatureDetails.signature_id, ids))
  }
}

/** Students who turned 18 yesterday, and whose guardians signed for them. */
const listGrownUpNotices = (peopleNeeds: readonly PersonNeeds[], today: string): Notice[] =>
  peopleNeeds.flatMap(({ person, needs }) => {
    const { date_of_birth } = person
    const isFirstDay =
      date_of_birth !== null && birthdayOf(date_of_birth, ADULT_AGE) === addDays(today, -1)
    return isFirstDay
      ? needs
          .filter(({ state }) => state === 'signed_as_minor')
          .map((need) => ({
            person,
            need,
            title: 'Please sign for yourself',
            message: `You’re ${ADULT_AGE}, so please sign “${need.name}” yourself.`,
          }))
      : []
  })

/** Notifies signers 30 and 7 days before a signature ends, and the staff. Nobody gets a notice
 *  twice. Returns emails for the caller to send after the commit. */
export async function sendDocumentNotices(tx: Tx, dojoId: string, today: string): Promise<Email[]> {
  const peopleNeeds = await findNeedsOfStudents(tx, dojoId, null)
  const endingSignatures = await findEndingSignatures(tx, peopleNeeds, today)
  await recordNotices(tx, endingSignatures)
  const endNotices = endingSignatures.map(({ person, need }): Notice => ({
    person,
    need: asUnsigned(need),
    title: 'Please sign again',
    message:
      `“${need.name}” for ${firstNames([person.name])} ends on ` +
      `${formatFullDate(need.expires_on ?? today)}.`,
  }))
  if (endingSignatures.length > 0)
    await notifyStaff(tx, dojoId, 'students.edit', {
      title: 'Signatures end soon',
      message: endNotices.map(({ message }) => message).join(' '),
      opens: '/documents',
    })
  const grownUpNotices = listGrownUpNotices(peopleNeeds, today)
  return (await sendNotices(tx, dojoId, [...endNotices, ...grownUpNotices], today)).emails
}
