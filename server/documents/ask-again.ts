import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { Email } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { readDocument, readVersions } from './documents.ts'
import { askToSign } from './notices.ts'

type Request = { reply: { asked: number; not_reached: number }; emails: Email[] }

/** Asks everybody who has not signed. Refuses with 409 for a document that nobody is asked for:
 *  one that is not published, or archived. */
export async function askAgain(tx: Tx, caller: DojoCaller, documentId: string): Promise<Request> {
  const { archived_at } = await readDocument(tx, documentId)
  if (archived_at !== null) throw new Refusal(409, 'This document is archived')
  if ((await readVersions(tx, [documentId])).length === 0)
    throw new Refusal(409, 'Publish the document first')
  const { emails, askedIds, reachedIds } = await askToSign(tx, caller.dojoId, documentId)
  await auditAction(tx, caller, 'signatures asked for', { details: { students: reachedIds.size } })
  return {
    reply: { asked: reachedIds.size, not_reached: askedIds.size - reachedIds.size },
    emails,
  }
}
