import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS, type Endpoint } from '@tatami/contract/lib/endpoint'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { storeRecoveryLink } from '../accounts/account-recovery.ts'
import { findAccountById } from '../accounts/accounts.ts'
import { storeResetLink } from '../accounts/password-reset.ts'
import { openSession } from '../accounts/sessions.ts'
import { accounts, totpSecrets } from '../accounts/tables.ts'
import { auditLog } from '../audit/tables.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { auditedBelts } from './audited-belts.ts'
import { auditedDates } from './audited-dates.ts'
import { auditedDocuments } from './audited-documents.ts'
import { auditedGradings } from './audited-gradings.ts'
import { AUDITED_KIOSKS } from './audited-kiosks.ts'
import { type AuditedCall, auditedPayments } from './audited-payments.ts'
import { auditedHolds } from './audited-holds.ts'
import { auditedLeads } from './audited-leads.ts'
import { auditedPlans } from './audited-plans.ts'
import { auditedStaff } from './audited-staff.ts'
import { PASSWORD } from './fixtures.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'
import { UNAUDITED_CALLS, AUDIT_TESTED_ELSEWHERE } from './unaudited-calls.ts'
import { injectOptions, validRequestParts } from './valid-requests.ts'

const server = await startTestServer()
const passwordHash = await hashPassword(PASSWORD)
const superAdmin = await server.signInSuperAdmin()

const runSql = (ids: Ids, statement: string) =>
  server.db.inDojo(ids.dojo_id, (tx) => tx.execute(sql.raw(statement)))
const signInInstructor = async (ids: Ids) =>
  server.clientFor(await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id)))
/** The sample dojo has a text from this phone. */
const PHONE = '+15125550142'
const YEAR_MS = 365.25 * 86_400_000
/** Returns the date of birth of a student who turns 18 within days. */
const findBirthdayOfMinor = () => new Date(Date.now() - 17.99 * YEAR_MS).toISOString().slice(0, 10)

/** Only a guardian without a login can be invited. */
async function deleteGuardianLogin(ids: Ids) {
  await runSql(ids, 'update guardians set account_id = null')
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`delete from accounts where id = ${ids.guardian_id}`),
  )
}

async function inviteGuardian(ids: Ids): Promise<string> {
  await deleteGuardianLogin(ids)
  const { body } = await (
    await signInInstructor(ids)
  ).post(`/guardians/${ids.guardian_id}/log-in-invitation`)
  return String(body.link).replace(/^.*#/, '')
}

/** The calls that write an entry into the audit log. */
const AUDITED_CALLS: Record<string, AuditedCall> = {
  'POST /notifications/send': { action: 'announcement sent' },
  'POST /notifications/send-fee-reminder': { action: 'announcement sent' },
  'DELETE /classes/:id': { action: 'class deleted' },
  ...auditedDates(runSql),
  ...auditedDocuments(runSql),
  ...auditedHolds(runSql),
  ...auditedLeads(runSql),
  ...auditedPlans(runSql),
  'POST /sms/messages': {
    action: 'texts sent',
    prepare: ({ student_id }) => ({ body: { student_ids: [student_id], text: 'Hello' } }),
  },
  'POST /slipping-away/texts': {
    action: 'texts sent',
    prepare: ({ student_id }) => ({
      body: { student_ids: [student_id], text: 'We have missed you' },
    }),
  },
  'PUT /sms/reply-settings': { action: 'reply words switched' },
  'DELETE /sms/templates/:id': { action: 'template deleted' },
  'POST /invitation': { action: 'invitation replaced' },
  'PUT /students/:id/photo': { action: 'photo set' },
  'DELETE /students/:id/photo': { action: 'photo removed' },
  'PUT /dojo/logo': { action: 'logo set' },
  'DELETE /dojo/logo': { action: 'logo removed' },
  'PUT /dojo/color': { action: 'school color set' },
  'PUT /public-page': { action: 'public page changed' },
  'POST /public-page/photos': {
    action: 'page photo added',
    // The page already has this photo, so adding it again would change nothing.
    prepare: async (ids) => {
      await runSql(ids, 'delete from page_photos')
      return {}
    },
  },
  'DELETE /public-page/photos/:id': { action: 'page photo removed' },
  'POST /trial-offers': { action: 'trial offer changed' },
  'PUT /trial-offers/:id': { action: 'trial offer changed' },
  'POST /trials/:id/approve': { action: 'trial approved' },
  'POST /trials/:id/cancel': { action: 'trial canceled' },
  ...AUDITED_KIOSKS,
  'POST /guardians': { action: 'guardian added', prepare: () => ({ body: { name: 'Mia Ortiz' } }) },
  'PUT /guardians/:id': {
    action: 'guardian changed',
    prepare: () => ({ body: { name: 'Ann Miller' } }),
  },
  'DELETE /guardians/:id': { action: 'guardian deleted' },
  'PUT /guardians/:id/students/:studentId': { action: 'guardian rights changed' },
  'DELETE /guardians/:id/students/:studentId': { action: 'guardian link ended' },
  'POST /guardians/:id/log-in-invitation': {
    action: 'log-in invitation sent',
    prepare: async (ids) => {
      await deleteGuardianLogin(ids)
      return {}
    },
  },
  'POST /students/:id/log-in-invitation': {
    action: 'log-in invitation sent',
    prepare: ({ sibling_id }) => ({
      params: { id: sibling_id },
      body: { email: `${newId()}@home.org` },
    }),
  },
  'POST /students/:id/log-in/reopen': {
    action: 'student log-in opened again',
    prepare: async (ids) => {
      await runSql(ids, 'update guardianships set log_in_closed_at = now()')
      await runSql(ids, `update accounts set is_active = false where id = '${ids.student_id}'`)
      return {}
    },
  },
  'DELETE /students/:id/log-in': { action: 'student log-in ended' },
  'POST /families/suggestions/dismiss': {
    action: 'family suggestion dismissed',
    prepare: ({ student_id, sibling_id }) => ({ body: { student_ids: [student_id, sibling_id] } }),
  },
  'POST /families': { action: 'family made' },
  'POST /families/changes/:id/undo': {
    action: 'family undone',
    prepare: async (ids) => {
      const guardian = { name: 'Mia Ortiz' }
      const { body } = await (
        await signInInstructor(ids)
      ).post('/families', { guardian, students: [{ student_id: ids.sibling_id, log_in: 'keep' }] })
      return { params: { id: body.change.id } }
    },
  },
  'PUT /family/students/:id/contact': {
    action: 'contact changed by guardian',
    callerRole: 'guardian',
    prepare: () => ({ body: { phone_number: '512 555 0199' } }),
  },
  'PUT /family/students/:id/log-in': {
    action: 'log-in allowed by guardian',
    callerRole: 'guardian',
  },
  'PUT /students/:id/log-in-consent': { action: 'log-in allowed by guardian' },
  'PUT /family/guardians/:id': {
    action: 'guardian agreed to by student',
    callerRole: 'student',
    prepare: async (ids) => {
      await runSql(ids, `update students set date_of_birth = '${findBirthdayOfMinor()}'`)
      return {}
    },
  },
  ...auditedPayments(runSql, signInInstructor),
  ...auditedBelts(signInInstructor),
  ...auditedGradings(runSql),
  ...auditedStaff(server.db, signInInstructor),
  'PUT /sms/conversations/:phone/student': { action: 'phone linked' },
  'DELETE /sms/conversations/:phone/student': {
    action: 'phone unlinked',
    prepare: async (ids) => {
      await runSql(
        ids,
        `insert into phone_links (phone, student_id, created_at) values ('${PHONE}', ` +
          `'${ids.student_id}', now())`,
      )
      return { params: { phone: PHONE }, query: { student_id: ids.student_id } }
    },
  },
  'POST /sms/conversations/:phone/guardian': { action: 'phone linked' },
  'DELETE /sms/conversations/:phone/guardian': {
    action: 'phone unlinked',
    prepare: async (ids) => {
      await runSql(
        ids,
        'insert into guardian_phones (phone, guardian_id, created_at) values ' +
          `('${PHONE}', '${ids.guardian_id}', now())`,
      )
      return { params: { phone: PHONE }, query: { guardian_id: ids.guardian_id } }
    },
  },
  'POST /sms/phones/:phone/consents': { action: 'text consent recorded' },
  'PUT /sms/conversations/:phone/stop-request': { action: 'text consent recorded' },
  'PUT /sms/conversations/:phone/stop-request/undo': {
    action: 'end of texts undone',
    prepare: async (ids) => {
      const path = `/sms/conversations/${encodeURIComponent(PHONE)}/stop-request`
      await (await signInInstructor(ids)).put(path, { ends_texts: true })
      return { params: { phone: PHONE } }
    },
  },
  'PUT /sibling-prices': { action: 'sibling prices set' },
  'POST /log-in-invitations/accept': {
    action: 'log-in made by invitation',
    prepare: async (ids) => ({
      body: { invitation: await inviteGuardian(ids), password: PASSWORD },
    }),
  },
  'PUT /profile': { action: 'dojo settings changed' },
  'PUT /profile/password': {
    action: 'password changed',
    prepare: () => ({ body: { current_password: PASSWORD, new_password: 'Another-one-2' } }),
  },
  'POST /password-reset': {
    action: 'password chosen by link',
    prepare: async ({ instructor_id }) => {
      await server.db.withoutDojo((tx) =>
        storeResetLink(tx, instructor_id, `reset-${instructor_id}`),
      )
      return { body: { reset_token: `reset-${instructor_id}`, new_password: 'Another-one-2' } }
    },
  },
  'POST /account-recovery': {
    action: 'account taken back',
    prepare: async ({ instructor_id }) => {
      const recovery_token = await server.db.withoutDojo(async (tx) =>
        storeRecoveryLink(tx, (await findAccountById(tx, instructor_id))!),
      )
      return { body: { recovery_token } }
    },
  },
  'PUT /super-admin/sensei/:id/toggle-active': { action: 'sensei deactivated' },
  'PUT /super-admin/sensei/:id/reset-password': { action: 'sensei password reset' },
  'PUT /super-admin/daily-message-limit': { action: 'daily limit set' },
  'PUT /super-admin/password-rules': { action: 'common passwords switched' },
  'POST /students': { action: 'student added' },
  'PUT /students/:id': { action: 'student changed' },
  'PUT /students/:id/notes': { action: 'student notes changed' },
  'PUT /students/:id/vacation': {
    action: 'vacation changed',
    prepare: () => ({ body: { vacation_from: null, vacation_until: null } }),
  },
  'PUT /students/:id/skills/:skillId': {
    action: 'skill unchecked',
    prepare: () => ({ body: { checked: false } }),
  },
  'PUT /students/:id/approvals/:rankId': {
    action: 'approval withdrawn',
    prepare: () => ({ body: { approved: false } }),
  },
  'POST /students/:id/approve': {
    action: 'student approved',
    prepare: async (ids) => {
      await runSql(ids, 'update students set awaits_approval = true')
      return {}
    },
  },
  'POST /students/:id/leave': {
    action: 'student left',
    prepare: () => ({ body: { left_on: '2026-02-01', reason: 'schedule' } }),
  },
  'POST /students/:id/return': {
    action: 'student returned',
    prepare: async (ids) => {
      await runSql(ids, `update students set left_on = '2026-02-01', left_reason = 'cost'`)
      return {}
    },
  },
  'DELETE /students/:id': { action: 'student deleted' },
  'POST /sms/account/remove': { action: 'own texting account removed' },
  'POST /online-payment/account/remove': { action: 'Stripe account removed' },
  'POST /online-payment/simulation': {
    action: 'online payment tried out',
    prepare: async (ids) => {
      await runSql(ids, 'delete from stripe_accounts')
      return {}
    },
  },
  'PUT /welcome-message-settings': { action: 'welcome texts switched' },
  'PUT /reminder-settings': { action: 'reminders switched' },
  'POST /sms/send-bulk-message': { action: 'texts sent' },
  'POST /sms/send-pre-due-reminder': { action: 'texts sent' },
  'POST /sms/send-on-due-reminder': { action: 'texts sent' },
  'POST /sms/send-post-due-reminder': { action: 'texts sent' },
  'POST /sms/batches/:id/send-again': {
    action: 'texts sent again',
    prepare: async (ids) => {
      await runSql(ids, `update messages set state = 'failed'`)
      return {}
    },
  },
  'DELETE /passkeys/:id': { action: 'passkey removed', callerRole: 'student' },
  'POST /authenticator/remove': {
    action: 'authenticator app removed',
    prepare: async ({ instructor_id: account_id }) => {
      await server.db.withoutDojo((tx) =>
        tx
          .insert(totpSecrets)
          .values({ account_id, secret: 'none', confirmed_at: new Date().toISOString() }),
      )
      return { body: { current_password: PASSWORD } }
    },
  },
  'POST /recovery-codes': {
    action: 'recovery codes renewed',
    prepare: () => ({ body: { current_password: PASSWORD } }),
  },
  'DELETE /sessions/:id': { action: 'session ended', callerRole: 'student' },
  'DELETE /sessions': { action: 'other sessions ended', callerRole: 'student' },
  'PUT /profile/own-password': {
    action: 'own password chosen',
    prepare: async ({ instructor_id }) => {
      await server.db.withoutDojo((tx) =>
        tx
          .update(accounts)
          .set({ must_change_password: true })
          .where(eq(accounts.id, instructor_id)),
      )
      return { body: { new_password: 'Another-one-2' } }
    },
  },
  'PUT /super-admin/second-factor': {
    action: 'second factor required',
    prepare: () => ({ body: { super_admins: false, instructors: false } }),
  },
  'POST /export': { action: 'everything exported' },
  'POST /export/students': { action: 'student list exported' },
  'POST /export/attendance': { action: 'attendance exported' },
  'POST /export/payments': { action: 'payments exported' },
  'POST /export/bookkeeping': { action: 'bookkeeping exported' },
  'POST /students/:id/export': { action: 'student exported' },
  'POST /family/students/:id/export': { action: 'student exported', callerRole: 'guardian' },
}

const changingCalls = endpoints
  .filter(({ method }) => method !== 'GET')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

test('every call that can change something is audited, or has a reason not to be', () => {
  const names = changingCalls.map(([name]) => name)
  const describedCalls = [AUDITED_CALLS, UNAUDITED_CALLS, AUDIT_TESTED_ELSEWHERE].flatMap(
    Object.keys,
  )
  expect(
    names
      .filter((name) => !describedCalls.includes(name))
      .map((name) => `Add ${name} to AUDITED_CALLS, or to unaudited-calls.ts with the reason`),
  ).toEqual([])
  expect(describedCalls.toSorted()).toEqual(names.toSorted())
})

function findActorId(
  { access }: Endpoint,
  { callerRole }: AuditedCall,
  ids: Ids,
): string | undefined {
  if (access === 'public') return undefined
  if (access === 'super-admin') return superAdmin.id
  const roles: readonly string[] = ROLES_BY_ACCESS[access]
  const role = callerRole ?? (roles.includes('instructor') ? 'instructor' : 'student')
  return { instructor: ids.instructor_id, guardian: ids.guardian_id, student: ids.student_id }[role]
}
/** A random email address may already have an account. */
const withNewEmail = (body: Record<string, unknown>) =>
  'email' in body && body.email ? { ...body, email: `${newId()}@dojo.com` } : body

/** Sends generated requests until the server accepts one. Returns the caller's id. */
async function callUntilAccepted(
  endpoint: Endpoint,
  auditedCall: AuditedCall,
  ids: Ids,
): Promise<string | undefined> {
  const preparedParts = (await auditedCall.prepare?.(ids)) ?? {}
  const actor = findActorId(endpoint, auditedCall, ids)
  const refusals: string[] = []
  for (const parts of fc.sample(validRequestParts(endpoint, ids), { seed: 5, numRuns: 30 })) {
    const token = actor && (await server.db.withoutDojo((tx) => openSession(tx, actor)))
    const requestParts = {
      params: { ...parts.params, ...preparedParts.params },
      query: { ...parts.query, ...preparedParts.query },
      body: preparedParts.body ?? withNewEmail(parts.body),
    }
    const { statusCode, payload } = await server.http.inject({
      ...injectOptions(endpoint, requestParts),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
    if (statusCode === 200) return actor
    refusals.push(`${statusCode} ${payload}`)
    if (preparedParts.body) break
  }
  throw new Error(`None of the requests was accepted: ${[...new Set(refusals)].join(', ')}`)
}

const listEntriesAfter = (lastId: string) =>
  server.db.withoutDojo((tx) =>
    tx
      .select()
      .from(auditLog)
      .where(sql`${auditLog.id} > ${lastId}`)
      .orderBy(auditLog.id),
  )

const GLOBAL_ACTIONS = ['daily limit set', 'second factor required', 'common passwords switched']

const auditedCalls = changingCalls.flatMap(([name, endpoint]) => {
  const auditedCall = AUDITED_CALLS[name]
  return auditedCall ? [[name, endpoint, auditedCall] as const] : []
})

describe.each(auditedCalls)('%s', (name, endpoint, auditedCall) => {
  test(`is recorded as '${auditedCall.action}', with the actor and the dojo`, async () => {
    const ids = await createSampleDojo(server.db, passwordHash)
    const lastEntryId = await findLastEntryId()
    const actor = await callUntilAccepted(endpoint, auditedCall, ids)
    const entries = (await listEntriesAfter(lastEntryId)).filter(
      ({ action }) => action === auditedCall.action,
    )
    expect(entries).not.toEqual([])
    // A public call with a link counts as a call by the owner of the account.
    const linkOwner = name.startsWith('POST /log-in-invitations')
      ? ids.guardian_id
      : ids.instructor_id
    expect(entries.map(({ actor_id }) => actor_id)).toContain(actor ?? linkOwner)
    const dojoId = GLOBAL_ACTIONS.includes(auditedCall.action) ? null : ids.dojo_id
    expect(entries.at(-1)?.dojo_id).toBe(dojoId)
  })
})

async function findLastEntryId(): Promise<string> {
  const ids = await server.db.withoutDojo((tx) =>
    tx
      .select({ id: auditLog.id })
      .from(auditLog)
      .orderBy(sql`id desc`)
      .limit(1),
  )
  return ids[0]?.id ?? '00000000-0000-0000-0000-000000000000'
}

test('no entry contains a name, an email, a phone number or a text that a person wrote', async () => {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ details: string }>(sql`select details::text as details from audit_log`),
  )
  // Removes ids first, because part of an id may look like a phone number.
  for (const { details } of rows)
    expect(details.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')).not.toMatch(
      /@|\+1|Adams|Ortiz|555|Peanuts|Hello/,
    )
})

test('the database does not let the server change or delete entries', async () => {
  for (const tamperWithLog of [
    (tx: Tx) => tx.update(auditLog).set({ action: 'nothing' }),
    (tx: Tx) => tx.delete(auditLog).where(eq(auditLog.action, 'class deleted')),
  ])
    await expect(server.db.withoutDojo((tx) => tamperWithLog(tx))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') as string },
    })
})
