import { LOGIN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import type { LoginConsent } from '@tatami/contract/families/logins'
import { and } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { WITHDRAWN_CONSENT } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { guardianships } from '../guardians/tables.ts'

type ConsentSource = 'guardian' | 'school'

const createConsent = (source: ConsentSource) => ({
  allows_log_in: true,
  log_in_consent_at: nowIso(),
  log_in_consent_source: source,
  log_in_consent_wording: LOGIN_WORDING_VERSION,
})

/** Throws 404 if the guardian may not see the student. */
export async function recordLoginConsent(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  studentId: string,
  { guardian_id, is_given }: LoginConsent,
  source: ConsentSource,
): Promise<void> {
  const [link] = await tx
    .update(guardianships)
    .set(is_given ? createConsent(source) : WITHDRAWN_CONSENT)
    .where(and(isLinkBetween(guardian_id, studentId), isActiveLink))
    .returning({ sees: guardianships.sees })
  if (!link?.sees) throw notFound(source === 'guardian' ? 'Student' : 'Guardian')
  await endLostAccess(tx, caller.dojoId, [studentId])
  const action = is_given ? 'log-in allowed by guardian' : 'log-in disallowed by guardian'
  await auditAction(tx, caller, action, {
    subject_id: studentId,
    details: {
      allowed: is_given,
      guardian_id,
      source,
      ...(is_given && { wording: LOGIN_WORDING_VERSION }),
    },
  })
}
