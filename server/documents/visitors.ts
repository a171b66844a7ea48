/** Documents for people who are not students yet, such as somebody who has booked a trial. */
import { eq } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
import { createSigningLink, signingUrl } from './links.ts'
import { findNeedsOfPerson } from './needed.ts'
import { documentVisitors } from './tables.ts'

type NewVisitor = Pick<typeof documentVisitors.$inferInsert, 'name' | 'date_of_birth' | 'email'>

export async function addVisitor(tx: Tx, visitor: NewVisitor): Promise<string> {
  const id = newId()
  await tx.insert(documentVisitors).values({ ...visitor, id })
  return id
}

/** What a visitor has to sign before the trial, and a link for it. Null if there is nothing. */
export async function createVisitorLink(
  tx: Tx,
  dojoId: string,
  visitorId: string,
  publicUrl: string,
): Promise<{ names: string[]; link: string } | null> {
  const { person, needs } = await findNeedsOfPerson(tx, dojoId, { kind: 'visitor', id: visitorId })
  const openNeeds = needs.filter(({ state }) => state !== 'signed' && state !== 'unconfirmed')
  if (openNeeds.length === 0) return null
  const token = await createSigningLink(tx, dojoId, {
    person,
    documentIds: pluck(openNeeds, 'document_id'),
    channel: 'mail',
    signer: null,
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
