import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { findExcessPrivileges } from './excess-privileges.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())
beforeEach(() => admin.query('begin; set local role tatami_owner'))
afterEach(() => admin.query('rollback'))

test('the app’s role and the overseer have no more privileges than they need', async () => {
  expect(await findExcessPrivileges(admin)).toEqual([])
})

test.each([
  ['grant update on audit_log to tatami_app', 'tatami_app may UPDATE public.audit_log'],
  ['grant delete on audit_log to tatami_app', 'tatami_app may DELETE public.audit_log'],
  ['grant update (action) on audit_log to tatami_app', 'tatami_app may UPDATE public.audit_log'],
  ['grant insert on migrations to tatami_app', 'tatami_app may INSERT public.migrations'],
  ['grant update on migrations to tatami_app', 'tatami_app may UPDATE public.migrations'],
  ['grant delete on migrations to tatami_app', 'tatami_app may DELETE public.migrations'],
  ['grant delete on consents to tatami_app', 'tatami_app may DELETE public.consents'],
  ['grant truncate on students to tatami_app', 'tatami_app may TRUNCATE public.students'],
  ['grant truncate on audit_log to public', 'tatami_overseer may TRUNCATE public.audit_log'],
  ['grant trigger on students to tatami_app', 'tatami_app may TRIGGER public.students'],
  ['grant update on students to tatami_overseer', 'tatami_overseer may UPDATE public.students'],
  ['grant select on sessions to tatami_overseer', 'tatami_overseer may SELECT public.sessions'],
  [
    'grant select on accounts to tatami_overseer',
    'tatami_overseer may SELECT accounts.password_hash',
  ],
  [
    'grant select (auth) on push_subscriptions to tatami_overseer',
    'tatami_overseer may SELECT push_subscriptions.auth',
  ],
  ['grant insert on pgboss.warning to tatami_app', 'tatami_app may INSERT pgboss.warning'],
  ['grant delete on pgboss.queue to tatami_app', 'tatami_app may DELETE pgboss.queue'],
  [
    'grant execute on function pgboss.delete_queue(text) to tatami_app',
    'tatami_app calls pgboss.delete_queue',
  ],
  [
    'create view everybody as select * from students; grant select on everybody to tatami_app',
    'tatami_app reads the view everybody past the policies',
  ],
  [
    'create materialized view everybody as select 1 as n; grant select on everybody to ' +
      'tatami_overseer',
    'tatami_overseer reads the view everybody past the policies',
  ],
  [
    `create function everybody() returns bigint language sql security definer as 'select ` +
      `count(*) from students'`,
    'tatami_app calls public.everybody as its owner',
  ],
  ['alter table system_config add dojo_id uuid', 'system_config is global and has a dojo_id'],
])('finds the excess privilege after "%s"', async (change, problem) => {
  await admin.query(change)
  expect(await findExcessPrivileges(admin)).toContain(problem)
})

test('accepts a view that reads with the privileges of the caller', async () => {
  await admin.query(
    'create view everybody with (security_invoker = true) as select * from students; ' +
      'grant select on everybody to tatami_app',
  )
  expect(await findExcessPrivileges(admin)).toEqual([])
})

test.each(DATABASE_RULES.appendOnly.map(getTableName))(
  'the app’s role cannot change or delete rows of %s',
  async (table) => {
    await admin.query('set local role tatami_app')
    for (const query of [`delete from ${table}`, `update ${table} set dojo_id = dojo_id`]) {
      await admin.query('savepoint before_query')
      await expect(admin.query(query)).rejects.toThrow(/permission denied/)
      await admin.query('rollback to before_query')
    }
  },
)

test('the overseer cannot read password hashes or push secrets', async () => {
  await admin.query('set local role tatami_overseer')
  for (const query of [
    'select password_hash from accounts',
    'select * from accounts',
    'select auth from push_subscriptions',
  ]) {
    await admin.query('savepoint before_query')
    await expect(admin.query(query)).rejects.toThrow(/permission denied/)
    await admin.query('rollback to before_query')
  }
  expect((await admin.query('select email from accounts')).rowCount).toBeGreaterThan(0)
})
