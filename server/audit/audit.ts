import type { AuditAction } from '@tatami/contract/audit/actions'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { auditLog } from './tables.ts'

type ActionSubject = { subject_id?: string; details?: Record<string, string | number | boolean> }

/** The actor of automatic actions. */
export const NO_ACTOR_ID = '00000000-0000-0000-0000-000000000000'

/** Adds one entry for each subject, in the same transaction. Entries are never deleted, so
 *  `details` must not contain names, emails, phones, or anything that people wrote. */
export const auditAction = (
  tx: Tx,
  { id: actor_id, dojoId: dojo_id }: Pick<Caller, 'id' | 'dojoId'>,
  action: AuditAction,
  subjects: ActionSubject | ActionSubject[] = {},
): Promise<void> =>
  inChunks([subjects].flat(), (chunk) =>
    tx.insert(auditLog).values(chunk.map((subject) => ({ actor_id, dojo_id, action, ...subject }))),
  )
