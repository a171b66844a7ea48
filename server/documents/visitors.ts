/** Documents for people who are not students yet, such as somebody who has booked a trial. */
import { isUnsigned } from '@tatami/contract/documents/signatures'
import { eq } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pluck } from '../lib/rows.ts'
import { listPublishedDocuments } from './documents.ts'
import { createSigningLink, signingUrl } from './links.ts'
import { findNeedsOf, findNeedsOfPerson, type Need } from './needed.ts'
import { describeVisitor, readVisitorRows } from './people.ts'
import { documentVisitors } from './tables.ts'

type NewVisitor = Pick<typeof documentVisitors.$inferInsert, 'name' | 'date_of_birth' | 'email'>

export async function addVisitor(tx: Tx, visitor: NewVisitor): Promise<string> {
  const id = newId()
  await tx.insert(documentVisitors).values({ ...visitor, id })
  return id
}

/** The names of the documents that every visitor is asked to sign. */
export async function listVisitorDocuments(tx: Tx): Promise<string[]> {
  const documents = await listPublishedDocuments(tx)
  return pluck(
    documents.filter(({ purpose }) => purpose === 'trial' || purpose === 'everybody'),
    'name',
  )
}

const isOpen = ({ state }: Need): boolean => isUnsigned(state) && state !== 'unconfirmed'

/** Visitor id → the names of the documents that nobody has signed for the visitor. After a visitor
 *  has become a student, the student's signatures count. */
export async function findUnsignedPapers(
  tx: Tx,
  dojoId: string,
  visitorIds: string[],
): Promise<Map<string, string[]>> {
  const today = await todayOf(tx, dojoId)
  const visitors = await readVisitorRows(tx, visitorIds)
  const people = visitors.map((visitor) =>
    describeVisitor({ ...visitor, id: visitor.student_id ?? visitor.id }, today),
  )
  const needsByPerson = new Map(
    (await findNeedsOf(tx, dojoId, people)).map(({ person, needs }) => [person.id, needs]),
  )
  return new Map(
    visitors.map(({ id, student_id }) => {
      const needs = needsByPerson.get(student_id ?? id) ?? []
      return [id, pluck(needs.filter(isOpen), 'name')]
    }),
  )
}

type VisitorLinkOptions = {
  visitorId: string
  /** False for a child: the link is for the adult who signs, even if a birthday says otherwise. */
  maySignAlone: boolean
  publicUrl: string
}

/** What a visitor has to sign before the trial, and a link for it. Null if there is nothing. */
export async function createVisitorLink(
  tx: Tx,
  dojoId: string,
  { visitorId, maySignAlone, publicUrl }: VisitorLinkOptions,
): Promise<{ names: string[]; link: string } | null> {
  const { person, needs } = await findNeedsOfPerson(tx, dojoId, { kind: 'visitor', id: visitorId })
  const openNeeds = needs.filter(isOpen)
  if (openNeeds.length === 0) return null
  const token = await createSigningLink(tx, dojoId, {
    person,
    documentIds: pluck(openNeeds, 'document_id'),
    channel: 'mail',
    signer: maySignAlone ? null : { kind: 'other', id: null },
  })
  return { names: pluck(openNeeds, 'name'), link: signingUrl(publicUrl, token) }
}

/** Gives a student the signatures from before they enrolled. */
export async function linkVisitorToStudent(
  tx: Tx,
  visitorId: string,
  studentId: string,
): Promise<void> {
  await tx
    .update(documentVisitors)
    .set({ student_id: studentId })
    .where(eq(documentVisitors.id, visitorId))
}
