/** What the staff see of the documents of a school. */
import type {
  DocumentDetails,
  DocumentList,
  DocumentPerson,
  DocumentSummary,
  UnsignedStudent,
} from '@tatami/contract/documents/documents'
import {
  EXPIRY_NOTICE_DAYS,
  isUnsigned,
  type NeededDocument,
} from '@tatami/contract/documents/signatures'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { omit, pick, pluck } from '../lib/rows.ts'
import {
  describePublished,
  type DocumentRow,
  hasUnpublishedChanges,
  listDocumentRows,
  readDocument,
  readRules,
  readVersions,
  toText,
  type PublishedDocument,
} from './documents.ts'
import { findNeedsOfStudents, isDueInClass, type Need, type PersonNeeds } from './needed.ts'
import { documentPasses } from './tables.ts'

const [FIRST_NOTICE_DAYS] = EXPIRY_NOTICE_DAYS

export const toNeededDocument = (need: Need): NeededDocument =>
  pick(need, 'document_id', 'name', 'kind', 'state', 'due_on', 'expires_on', 'signed_at')

const isEndingSoon = ({ state, expires_on }: Need, today: string): boolean =>
  !isUnsigned(state) && expires_on !== null && expires_on <= addDays(today, FIRST_NOTICE_DAYS)

/** People who are asked to sign, and those whose signature ends soon. */
function listPeople(
  documentId: string,
  peopleNeeds: readonly PersonNeeds[],
  today: string,
): DocumentPerson[] {
  return peopleNeeds.flatMap(({ person, needs }) =>
    needs
      .filter(
        (need) =>
          need.document_id === documentId && (need.state !== 'signed' || isEndingSoon(need, today)),
      )
      .map((need) => ({
        student_id: person.id,
        name: person.name,
        ...pick(need, 'state', 'due_on', 'expires_on'),
      })),
  )
}

function summarize(
  row: DocumentRow,
  publishedDocument: PublishedDocument | null,
  people: readonly DocumentPerson[],
  today: string,
): DocumentSummary {
  const lastDay = addDays(today, FIRST_NOTICE_DAYS)
  const unsignedPeople = people.filter(({ state }) => isUnsigned(state))
  return {
    ...pick(row, 'id', 'name', 'kind', 'signer', 'purpose'),
    version: publishedDocument?.version ?? null,
    published_at: publishedDocument?.published_at ?? null,
    has_unpublished_changes: hasUnpublishedChanges(row, publishedDocument?.versions ?? []),
    is_archived: row.archived_at !== null,
    unsigned_count: unsignedPeople.length,
    expiring_count: people.filter(
      ({ state, expires_on }) => !isUnsigned(state) && expires_on !== null && expires_on <= lastDay,
    ).length,
  }
}

export async function listDocuments(tx: Tx, dojoId: string): Promise<DocumentList> {
  const rows = await listDocumentRows(tx)
  const rules = await readRules(tx)
  const rulesReply = pick(rules, 'is_holding', 'kept_years', 'grown_up_days')
  if (rows.length === 0) return { documents: [], rules: rulesReply }
  const versions = await readVersions(tx, pluck(rows, 'id'))
  const { time_zone } = await dojoById(tx, dojoId)
  const today = await todayOf(tx, dojoId)
  const peopleNeeds = await findNeedsOfStudents(tx, dojoId, null)
  const documents = rows.map((row) =>
    summarize(
      row,
      describePublished(row, versions, time_zone),
      listPeople(row.id, peopleNeeds, today),
      today,
    ),
  )
  return { documents, rules: rulesReply }
}

export async function showDocument(
  tx: Tx,
  dojoId: string,
  id: string,
): Promise<{ document: DocumentDetails }> {
  const row = await readDocument(tx, id)
  const { time_zone } = await dojoById(tx, dojoId)
  const today = await todayOf(tx, dojoId)
  const publishedDocument = describePublished(row, await readVersions(tx, [id]), time_zone)
  const people = listPeople(id, await findNeedsOfStudents(tx, dojoId, null), today)
  return {
    document: {
      ...omit(row, 'dojo_id', 'archived_at', 'created_at'),
      ...summarize(row, publishedDocument, people, today),
      published_texts: (publishedDocument?.versions ?? []).map(toText),
      people,
    },
  }
}

/** What students still have to sign, for the marks on the roll. Staff who see only their own
 *  classes get only the students of these. */
export async function listUnsignedStudents(tx: Tx, dojoId: string): Promise<UnsignedStudent[]> {
  const peopleNeeds = await findNeedsOfStudents(tx, dojoId, null)
  const today = await todayOf(tx, dojoId)
  const heldIds = await findHeldStudents(tx, peopleNeeds, today)
  return peopleNeeds.flatMap(({ person, needs }) => {
    const openNeeds = needs.filter(({ state }) => isUnsigned(state))
    if (openNeeds.length === 0) return []
    return {
      student_id: person.id,
      documents: openNeeds.map((need) => pick(need, 'document_id', 'name', 'state')),
      is_held: heldIds.has(person.id),
    }
  })
}

/** Students whom the kiosk sends to the instructor: the school holds people without a signature,
 *  and nobody has let them pass today. */
async function findHeldStudents(
  tx: Tx,
  peopleNeeds: readonly PersonNeeds[],
  today: string,
): Promise<Set<string>> {
  const { is_holding } = await readRules(tx)
  if (!is_holding) return new Set()
  const dueIds = peopleNeeds
    .filter(({ person, needs }) => needs.some((need) => isDueInClass(need, person, today)))
    .map(({ person }) => person.id)
  const passes = await tx
    .select({ student_id: documentPasses.student_id })
    .from(documentPasses)
    .where(and(equalsAny(documentPasses.student_id, dueIds), eq(documentPasses.day, today)))
  const passIds = new Set(pluck(passes, 'student_id'))
  return new Set(dueIds.filter((id) => !passIds.has(id)))
}

export async function findHeldAmong(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
): Promise<Set<string>> {
  const { is_holding } = await readRules(tx)
  if (!is_holding || studentIds.length === 0) return new Set()
  return findHeldStudents(
    tx,
    await findNeedsOfStudents(tx, dojoId, studentIds),
    await todayOf(tx, dojoId),
  )
}
