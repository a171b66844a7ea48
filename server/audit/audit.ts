import type { AuditAction } from '@tatami/contract/audit/actions'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { auditLog } from './tables.ts'

type ActSubject = { subject_id?: string; details?: Record<string, string | number | boolean> }

/** The actor of automatic acts. */
export const NO_ACTOR_ID = '00000000-0000-0000-0000-000000000000'

/** Records an act on the person or thing `subject_id`, in the act's own transaction; one entry per
 *  subject. Entries are never deleted, so `details` hold no name, email, phone or text of a person.
 */
export const auditAction = (
  tx: Tx,
  { id: actor_id, dojoId: dojo_id }: Pick<Caller, 'id' | 'dojoId'>,
  action: AuditAction,
  subjects: ActSubject | ActSubject[] = {},
): Promise<void> =>
  inChunks([subjects].flat(), (chunk) =>
    tx.insert(auditLog).values(chunk.map((subject) => ({ actor_id, dojo_id, action, ...subject }))),
  )
