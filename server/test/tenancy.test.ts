import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { asOverseer } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { GLOBAL_TABLES } from './global-tables.ts'
import { startTestServer } from './test-server.ts'
import { grantEverything } from './grant-everything.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo, sampleRowStatement, SAMPLE_ROWS } from './sample-rows.ts'

const server = await startTestServer()
// Without all privileges, a missing one could hide a fault of the policies, which this file tests.
await grantEverything(server)
const hasAppLogin = new URL(server.databaseUrl).username === 'tatami_app'
const NO_ID = '00000000-0000-0000-0000-000000000000'
const withoutDojo = (query: string) => server.db.withoutDojo((tx) => tx.execute(sql.raw(query)))
const queryRows = async <Row extends object>(query: string) =>
  (await withoutDojo(query)).rows as Row[]

const tables = await queryRows<{ name: string; of_a_dojo: boolean }>(`
  select relname as name, exists (select from pg_attribute where attrelid = c.oid
    and attname = 'dojo_id' and not attisdropped) as of_a_dojo
  from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by relname`)
const dojoTables = tables.filter(({ name }) => !(name in GLOBAL_TABLES)).map(({ name }) => name)

const ourIds = await createSampleDojo(server.db)
const theirIds = await createSampleDojo(server.db)
const runInDojo = ({ dojo_id }: Ids, query: string) =>
  server.db.inDojo(dojo_id, (tx) => tx.execute(sql.raw(query)))
const runInOurDojo = (query: string) => runInDojo(ourIds, query)
const readTheirRows = async (table: string) =>
  (await runInDojo(theirIds, `select * from ${table}`)).rows
const errorMatching = (pattern: RegExp) => ({
  cause: { message: expect.stringMatching(pattern) as string },
})

describe('roles', () => {
  test('row-level security applies to the server’s role, whatever its login', async () => {
    const rows = await queryRows(
      'select rolname, rolsuper, rolbypassrls, rolinherit from pg_roles where rolname in ' +
        '(current_user, session_user)',
    )
    expect(rows).toContainEqual({
      rolname: 'tatami_app',
      rolsuper: false,
      rolbypassrls: false,
      rolinherit: false,
    })
    for (const role of rows) expect(role).toMatchObject({ rolsuper: false, rolbypassrls: false })
  })

  test('row-level security applies to the owner of the tables, too', async () => {
    const owners = await queryRows(`
      select distinct rolname, rolsuper, rolbypassrls
      from pg_class c join pg_roles r on r.oid = relowner
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
    expect(owners).toEqual([{ rolname: 'tatami_owner', rolsuper: false, rolbypassrls: false }])
  })

  // The owner's login can become the owner, so docs/OPERATIONS.md describes a separate login.
  test.runIf(hasAppLogin)('the app’s own login cannot become the owner', async () => {
    await expect(runInOurDojo('set local role tatami_owner')).rejects.toMatchObject(
      errorMatching(/permission denied to set role/),
    )
  })
})

test('the rows of every table belong to dojos, or the table is global for a reason', () => {
  expect(tables.filter(({ name, of_a_dojo }) => !of_a_dojo && !(name in GLOBAL_TABLES))).toEqual([])
  expect(
    Object.keys(GLOBAL_TABLES).filter((name) => !tables.some((table) => table.name === name)),
  ).toEqual([])
})

test('every table with rows of dojos has a sample row for the tests below', () => {
  const tablesWithoutRow = dojoTables.filter((name) => !(name in SAMPLE_ROWS))
  expect(
    tablesWithoutRow.map(
      (name) => `Add a row of ${name} to SAMPLE_ROWS in server/test/sample-rows.ts`,
    ),
  ).toEqual([])
})

describe.each(dojoTables)('%s', (table) => {
  test('has row-level security, which applies to the owner of the table, too', async () => {
    expect(
      await queryRows(
        `select relrowsecurity, relforcerowsecurity from pg_class where oid = '${table}'::regclass`,
      ),
    ).toEqual([{ relrowsecurity: true, relforcerowsecurity: true }])
    const policies = await queryRows(
      'select policyname, permissive, roles::text[], cmd, qual, with_check from pg_policies ' +
        `where tablename = '${table}' and policyname not like 'own_classes_by_%' order by 1`,
    )
    const sameDojo = "(dojo_id = (current_setting('app.dojo_id'::text))::uuid)"
    expect(policies).toEqual([
      {
        policyname: 'dojo_isolation',
        permissive: 'PERMISSIVE',
        roles: ['tatami_app', 'tatami_own_classes'],
        cmd: 'ALL',
        qual: sameDojo,
        with_check: sameDojo,
      },
      {
        policyname: 'overseer_reads',
        permissive: 'PERMISSIVE',
        roles: ['tatami_overseer'],
        cmd: 'SELECT',
        qual: 'true',
        with_check: null,
      },
    ])
  })

  test('has the dojo as the first column of its primary key and unique indexes', async () => {
    const keys = await queryRows<{ columns: string; indisprimary: boolean }>(`
      select pg_get_indexdef(indexrelid, 1, true) as columns, indisprimary from pg_index
        where indrelid = '${table}'::regclass and indisunique`)
    expect(keys.filter(({ indisprimary }) => indisprimary)).toHaveLength(1)
    expect(new Set(keys.map(({ columns }) => columns))).toEqual(new Set(['dojo_id']))
  })

  test('references other tables by dojo and id together', async () => {
    const foreignKeys = await queryRows<{
      name: string
      columns: string[]
      other_table: string
      other_columns: string[]
    }>(`
      select conname as name, confrelid::regclass::text as other_table,
        array(select attname::text from unnest(conkey) with ordinality k(n, i) join pg_attribute
          on attrelid = conrelid and attnum = n order by i) as columns,
        array(select attname::text from unnest(confkey) with ordinality k(n, i) join pg_attribute
          on attrelid = confrelid and attnum = n order by i) as other_columns
      from pg_constraint where contype = 'f' and conrelid = '${table}'::regclass`)
    const keysWithoutDojo = foreignKeys.filter(
      ({ columns, other_table, other_columns }) =>
        dojoTables.includes(other_table) &&
        (columns[0] !== 'dojo_id' || other_columns[0] !== 'dojo_id'),
    )
    expect(keysWithoutDojo).toEqual([])
  })

  test('fails if no dojo is set', async () => {
    for (const query of [
      `select 1 from ${table}`,
      `update ${table} set dojo_id = dojo_id`,
      `delete from ${table}`,
    ]) {
      await expect(withoutDojo(query)).rejects.toMatchObject(
        errorMatching(/invalid input syntax for type uuid: ""/),
      )
    }
  })

  test('shows a dojo only its own rows', async () => {
    expect(await readTheirRows(table)).not.toEqual([])
    const { rows } = await runInOurDojo(`select distinct dojo_id from ${table}`)
    expect(rows).toEqual([{ dojo_id: ourIds.dojo_id }])
  })

  test('does not let a dojo add a row to another dojo or move one there', async () => {
    await expect(runInOurDojo(sampleRowStatement(table, theirIds))).rejects.toMatchObject(
      errorMatching(/violates row-level security policy/),
    )
    await expect(
      runInOurDojo(`update ${table} set dojo_id = '${theirIds.dojo_id}'`),
    ).rejects.toMatchObject(errorMatching(/violates row-level security policy/))
  })

  test('does not let a dojo change or delete rows of another dojo', async () => {
    const rowsBefore = await readTheirRows(table)
    for (const query of [`update ${table} set dojo_id = dojo_id`, `delete from ${table}`]) {
      expect((await runInOurDojo(`${query} where dojo_id = '${theirIds.dojo_id}'`)).rowCount).toBe(
        0,
      )
    }
    expect(await readTheirRows(table)).toEqual(rowsBefore)
  })

  test('lets the overseer read, but not write', async () => {
    const dojoRows = await server.db.withoutDojo((tx) =>
      asOverseer(tx, (overseerTx) =>
        overseerTx.execute(sql.raw(`select distinct dojo_id from ${table}`)),
      ),
    )
    expect(dojoRows.rows.map(({ dojo_id }) => dojo_id)).toEqual(
      expect.arrayContaining([ourIds.dojo_id, theirIds.dojo_id]),
    )
    for (const query of [
      `update ${table} set dojo_id = dojo_id`,
      `delete from ${table}`,
      `insert into ${table} default values`,
    ]) {
      await expect(
        server.db.withoutDojo((tx) =>
          asOverseer(tx, (overseerTx) => overseerTx.execute(sql.raw(query))),
        ),
      ).rejects.toMatchObject(errorMatching(/permission denied for table/))
    }
  })
})

test('the database refuses references to another dojo, even without policies', async () => {
  const foreignReferences = [
    ['enrolments', { ...ourIds, class_id: theirIds.class_id }],
    ['attendance', { ...ourIds, attendance_id: newId(), class_id: theirIds.class_id }],
    ['attendance', { ...ourIds, attendance_id: newId(), student_id: theirIds.student_id }],
    ['payment_records', { ...ourIds, student_id: theirIds.student_id }],
    [
      'notifications',
      { ...ourIds, notification_id: newId(), announcement_id: theirIds.announcement_id },
    ],
    ['messages', { ...ourIds, message_id: newId(), batch_id: theirIds.batch_id }],
    ['simulated_texts', { ...ourIds, message_id: theirIds.message_id }],
    ['push_claims', { ...ourIds, notification_id: theirIds.notification_id }],
    ['push_claims', { ...ourIds, subscription_id: theirIds.subscription_id }],
    [
      'guardians',
      { ...ourIds, guardian_id: theirIds.guardian_id, guardian_email: theirIds.guardian_email },
    ],
    ['guardianships', { ...ourIds, student_id: theirIds.student_id }],
    [
      'guardianships',
      { ...ourIds, guardian_id: theirIds.guardian_id, student_id: ourIds.sibling_id },
    ],
    ['log_in_invitations', { ...ourIds, guardian_id: theirIds.guardian_id }],
    ['unrelated_students', { ...ourIds, student_id: NO_ID, sibling_id: theirIds.sibling_id }],
    ['family_changes', { ...ourIds, family_change_id: newId(), guardian_id: theirIds.guardian_id }],
    ['messages', { ...ourIds, message_id: newId(), student_id: theirIds.student_id }],
    ['undeliverable_phones', { ...ourIds, student_id: theirIds.student_id }],
    ['incoming_texts', { ...ourIds, incoming_id: newId(), student_id: theirIds.student_id }],
    [
      'students',
      { ...ourIds, student_id: theirIds.student_id, student_email: theirIds.student_email },
    ],
    [
      'instructors',
      {
        ...ourIds,
        instructor_id: theirIds.instructor_id,
        instructor_email: theirIds.instructor_email,
      },
    ],
    ['class_dates', { ...ourIds, class_id: theirIds.class_id }],
    ['place_requests', { ...ourIds, class_id: theirIds.class_id }],
    ['place_requests', { ...ourIds, student_id: theirIds.student_id }],
    ['class_styles', { ...ourIds, class_id: theirIds.class_id }],
    ['class_styles', { ...ourIds, style_id: theirIds.style_id }],
    ['ladders', { ...ourIds, ladder_id: newId(), style_id: theirIds.style_id }],
    ['ranks', { ...ourIds, rank_id: newId(), ladder_id: theirIds.ladder_id }],
    ['skills', { ...ourIds, skill_id: newId(), rank_id: theirIds.rank_id }],
    ['skill_checks', { ...ourIds, student_id: theirIds.student_id }],
    ['skill_checks', { ...ourIds, skill_id: theirIds.skill_id }],
    ['approvals', { ...ourIds, student_id: theirIds.student_id }],
    ['approvals', { ...ourIds, rank_id: theirIds.rank_id }],
    ['outgrowing_notices', { ...ourIds, student_id: theirIds.student_id }],
    ['outgrowing_notices', { ...ourIds, ladder_id: theirIds.ladder_id }],
    ['belt_changes', { ...ourIds, belt_change_id: newId(), student_id: theirIds.student_id }],
    ['belt_changes', { ...ourIds, belt_change_id: newId(), style_id: theirIds.style_id }],
    ['belt_changes', { ...ourIds, belt_change_id: newId(), rank_id: theirIds.rank_id }],
    ['gradings', { ...ourIds, grading_id: newId(), style_id: theirIds.style_id }],
    ['candidates', { ...ourIds, grading_id: theirIds.grading_id }],
    ['candidates', { ...ourIds, student_id: theirIds.student_id }],
    ['candidates', { ...ourIds, student_id: ourIds.sibling_id, rank_id: theirIds.rank_id }],
    [
      'certificates',
      { ...ourIds, certificate_id: newId(), belt_change_id: theirIds.belt_change_id },
    ],
  ] as const
  for (const [table, ids] of foreignReferences) {
    await expect(runInOurDojo(sampleRowStatement(table, ids))).rejects.toMatchObject(
      errorMatching(/violates foreign key constraint/),
    )
  }
})
