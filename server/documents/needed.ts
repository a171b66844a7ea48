/** What somebody has to sign. Nothing of this is stored: it follows from the documents, the people
 *  and the signatures. */
import {
  isUnsigned,
  type NeededDocument,
  SIGNING_STATES,
  type SigningState,
} from '@tatami/contract/documents/signatures'
import type { Purpose } from '@tatami/contract/documents/document-form'
import { addDays, birthdayOf } from '@tatami/contract/lib/calendar-day'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { listPublishedDocuments, type PublishedDocument, readRules } from './documents.ts'
import { isAdult, type Person, personIds, readPerson, readStudentsWithGuardians } from './people.ts'
import { type SignatureRecord, readSignatureRecords } from './signature-records.ts'

export type Need = NeededDocument & {
  document: PublishedDocument
  /** The guardians who still have to sign, if each of them has to. */
  waitingGuardianIds: string[] | null
  /** The signature that decides the state. */
  record: SignatureRecord | null
}

const isFor: Record<Purpose, (person: Person) => boolean> = {
  trial: ({ is_trial }) => is_trial,
  enrolment: ({ is_trial, awaits_approval }) => !is_trial && !awaits_approval,
  plan: ({ has_plan }) => has_plan,
  // Somebody is asked for an event only by a link.
  event: () => false,
  everybody: () => true,
}

type Judgment = { state: SigningState; record: SignatureRecord | null; expires_on: string | null }
const NO_SIGNATURE: Judgment = { state: 'missing', record: null, expires_on: null }

/** The last day on which a guardian’s signature counts, because the student grew up. Null if it
 *  does not end for that reason. The payer signs for adults, too. */
function lastDayAfterGrowingUp(
  { signer }: PublishedDocument,
  { date_of_birth }: Person,
  record: SignatureRecord,
  grownUpDays: number,
): string | null {
  if (record.signer_kind === 'student' || signer === 'payer' || date_of_birth === null) return null
  const birthday = birthdayOf(date_of_birth, ADULT_AGE)
  return record.signed_on > birthday ? null : addDays(birthday, grownUpDays)
}

function judgeSignature(
  document: PublishedDocument,
  person: Person,
  record: SignatureRecord,
  { today, grownUpDays }: { today: string; grownUpDays: number },
): Judgment {
  const lastMinorDay = lastDayAfterGrowingUp(document, person, record, grownUpDays)
  const hasGrownUp =
    lastMinorDay !== null &&
    person.date_of_birth !== null &&
    birthdayOf(person.date_of_birth, ADULT_AGE) < today
  const lastDays = [record.expires_on, hasGrownUp ? lastMinorDay : null].filter(
    (day) => day !== null,
  )
  const expires_on = lastDays.toSorted()[0] ?? null
  const judge = (state: SigningState): Judgment => ({ state, record, expires_on })
  if (expires_on !== null && expires_on < today) return judge('expired')
  if (record.is_unconfirmed) return judge('unconfirmed')
  if (record.version < document.requiredVersion) return judge('earlier_version')
  return judge(hasGrownUp ? 'signed_as_minor' : 'signed')
}

const isWorse = (first: Judgment, second: Judgment) =>
  SIGNING_STATES.indexOf(first.state) < SIGNING_STATES.indexOf(second.state)

const pickBest = (judgments: Judgment[]): Judgment =>
  judgments.reduce((best, judgment) => (isWorse(best, judgment) ? judgment : best), NO_SIGNATURE)

/** For a child whose guardians all have to sign, the worst of their signatures decides. */
export function judgeDocument(
  document: PublishedDocument,
  person: Person,
  records: readonly SignatureRecord[],
  rules: { today: string; grownUpDays: number },
): Judgment & { waitingGuardianIds: string[] | null } {
  const judgments = records
    .filter(({ is_revoked }) => !is_revoked)
    .map((record) => judgeSignature(document, person, record, rules))
  const requiredGuardians = person.guardians.filter(({ sees }) => sees)
  const needsEach =
    document.signer === 'each_guardian' &&
    !isAdult(person, rules.today) &&
    requiredGuardians.length > 0
  if (!needsEach) return { ...pickBest(judgments), waitingGuardianIds: null }
  const judgmentByGuardian = requiredGuardians.map(({ guardian_id }) => ({
    guardian_id,
    judgment: pickBest(judgments.filter(({ record }) => record?.signer_id === guardian_id)),
  }))
  const worst = judgmentByGuardian
    .map(({ judgment }) => judgment)
    .reduce((worse, judgment) => (isWorse(judgment, worse) ? judgment : worse))
  const waitingGuardianIds = judgmentByGuardian
    .filter(({ judgment }) => judgment.state !== 'signed')
    .map(({ guardian_id }) => guardian_id)
  return { ...worst, waitingGuardianIds }
}

const laterDay = (first: string, second: string) => (first > second ? first : second)

const findDueDay = (document: PublishedDocument, person: Person): string | null =>
  document.due === 'within_days'
    ? addDays(laterDay(person.enrolled_on, document.firstPublishedOn), document.due_days ?? 0)
    : null

/** True if the person should not train before somebody signs. */
export const isDueInClass = (
  { state, due_on, document }: Need,
  { has_come_before }: Pick<Person, 'has_come_before'>,
  today: string,
): boolean => {
  if (!isUnsigned(state)) return false
  if (document.due === 'first_check_in') return has_come_before
  return due_on === null || due_on < today
}

export type PersonNeeds = { person: Person; needs: Need[] }

/** `extraDocumentIds` are documents that the people were asked for, such as for an event. */
export async function findNeedsOf(
  tx: Tx,
  dojoId: string,
  people: readonly Person[],
  extraDocumentIds: readonly string[] = [],
): Promise<PersonNeeds[]> {
  const documents = await listPublishedDocuments(tx)
  if (documents.length === 0 || people.length === 0)
    return people.map((person) => ({ person, needs: [] }))
  const today = await todayOf(tx, dojoId)
  const { grown_up_days: grownUpDays } = await readRules(tx)
  const recordsByPerson = await readSignatureRecords(tx, people)
  return people.map((person) => {
    const records = recordsByPerson.get(person.id) ?? []
    const needs = documents
      .filter(({ id, purpose }) => isFor[purpose](person) || extraDocumentIds.includes(id))
      .map((document): Need => {
        const judgment = judgeDocument(
          document,
          person,
          records.filter(({ document_id }) => document_id === document.id),
          { today, grownUpDays },
        )
        return {
          document_id: document.id,
          name: document.name,
          kind: document.kind,
          state: judgment.state,
          due_on: findDueDay(document, person),
          expires_on: judgment.expires_on,
          signed_at: judgment.record?.signed_at ?? null,
          document,
          waitingGuardianIds: judgment.waitingGuardianIds,
          record: judgment.record,
        }
      })
    return { person, needs }
  })
}

/** The needs of students. Null finds those of all current students. A school without published
 *  documents costs one query. */
export async function findNeedsOfStudents(
  tx: Tx,
  dojoId: string,
  ids: string[] | null,
): Promise<PersonNeeds[]> {
  if ((await listPublishedDocuments(tx)).length === 0) return []
  const people = await readStudentsWithGuardians(tx, ids, await todayOf(tx, dojoId))
  return findNeedsOf(tx, dojoId, people)
}

/** What one person has to sign: a student, or a visitor who has booked a trial. */
export async function findNeedsOfPerson(
  tx: Tx,
  dojoId: string,
  { kind, id }: Pick<Person, 'kind' | 'id'>,
  extraDocumentIds: readonly string[] = [],
): Promise<PersonNeeds> {
  const person = await readPerson(tx, personIds({ kind, id }), await todayOf(tx, dojoId))
  const [needs] = await findNeedsOf(tx, dojoId, [person], extraDocumentIds)
  return needs ?? { person, needs: [] }
}
