import { EVERYDAY_ACTIONS } from '@tatami/contract/audit/actions'
import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import type { AuditEntry } from '@tatami/contract/sensei/sensei'
import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { auditLog } from '../audit/tables.ts'
import { dojos } from '../dojos/tables.ts'
import type { Tx } from '../db/database.ts'

const actor = alias(accounts, 'actor')
const subject = alias(accounts, 'subject')

/** Newest first, without the everyday actions of dojos, and with current emails. */
export const readAuditLog = (
  tx: Tx,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<AuditEntry[]> =>
  tx
    .select({
      id: auditLog.id,
      actor: sql<string>`coalesce(${actor.email}, 'deleted account')`,
      action: auditLog.action,
      subject: subject.email,
      dojo_name: dojos.name,
      details: sql<AuditEntry['details']>`${auditLog.details}`,
      created_at: auditLog.created_at,
    })
    .from(auditLog)
    .leftJoin(actor, eq(actor.id, auditLog.actor_id))
    .leftJoin(subject, eq(subject.id, auditLog.subject_id))
    .leftJoin(dojos, eq(dojos.id, auditLog.dojo_id))
    .where(
      and(
        notInArray(auditLog.action, EVERYDAY_ACTIONS),
        before ? lt(auditLog.id, before) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)
