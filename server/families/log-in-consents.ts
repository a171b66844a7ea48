import { LOG_IN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import type { LogInConsent } from '@tatami/contract/families/families'
import { and } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { isLive, linkOf } from '../guardians/guardian-records.ts'
import { WITHDRAWN_CONSENT } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { guardianships } from '../guardians/tables.ts'

/** The guardian says so in the app, or the school notes what the guardian told it or signed. */
type ConsentSource = 'guardian' | 'school'

const givenConsent = (source: ConsentSource) => ({
  allows_log_in: true,
  log_in_consent_at: nowIso(),
  log_in_consent_source: source,
  log_in_consent_wording: LOG_IN_WORDING_VERSION,
})

/** Records that a guardian agrees to a log-in for a child under 13, or no longer does. 404 unless the guardian is linked to the student and sees their page. */
export async function recordLogInConsent(
  tx: Tx,
  caller: Pick<Member, 'id' | 'dojoId'>,
  studentId: string,
  { guardian_id, is_given }: LogInConsent,
  source: ConsentSource,
): Promise<void> {
  const [link] = await tx
    .update(guardianships)
    .set(is_given ? givenConsent(source) : WITHDRAWN_CONSENT)
    .where(and(linkOf(guardian_id, studentId), isLive))
    .returning({ sees: guardianships.sees })
  if (!link?.sees) throw notFound(source === 'guardian' ? 'Student' : 'Guardian')
  await endLostAccess(tx, caller.dojoId, [studentId])
  const action = is_given ? 'log-in allowed by guardian' : 'log-in disallowed by guardian'
  await auditAct(tx, caller, action, {
    subject_id: studentId,
    details: {
      ...{ allowed: is_given, guardian_id, source },
      ...(is_given && { wording: LOG_IN_WORDING_VERSION }),
    },
  })
}
