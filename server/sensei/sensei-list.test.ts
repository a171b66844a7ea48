import { normalize, expandUmlauts } from '@tatami/contract/lib/name-search'
import { grantEverything } from '../test/grant-everything.ts'
import {
  SENSEI_FILTERS,
  SENSEI_SORTS,
  type Sensei,
  type SenseiSort,
} from '@tatami/contract/sensei/sensei'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asOverseer, type Tx } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { staffMembers } from '../staff/tables.ts'
import { exampleSensei } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { instructors } from './tables.ts'

const server = await startTestServer()
const superAdmin = await server.signInSuperAdmin()
const listPath = (query: Record<string, unknown>) =>
  `/super-admin/sensei?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
const listSensei = async (query: Record<string, unknown> = {}) =>
  (await superAdmin.get(listPath(query))).body.sensei_list as Sensei[]
/** Joiners, a soft hyphen, a direction mark and others. */
const INVISIBLE_CHARACTERS = [
  ...['\u200C', '\u200D', '\u00AD', '\u2060', '\uFEFF', '\u200B', '\u200E', '\u202E'],
  ...['\u034F', '\u061C', '\u180E', '\uFE0F', '\u{E0101}', '\u3164'],
]
async function insertOwner(
  tx: Tx,
  { id, name, email }: { id: string; name: string; email: string },
) {
  await tx.insert(instructors).values({ id, name, email, contact_number: '5' })
  await tx.insert(staffMembers).values({ instructor_id: id, is_owner: true })
}
const toggle = (id: string) => superAdmin.put(`/super-admin/sensei/${id}/toggle-active`)

const PEOPLE = [
  { first_name: 'Émile', last_name: 'Roux', dojo_name: 'Zen 100%', city: 'Waco', students: 2 },
  {
    first_name: 'bob',
    last_name: 'Adams',
    dojo_name: 'aikido_hall',
    city: 'Austin',
    students: 0,
    inactive: true,
  },
  {
    first_name: 'Zoe',
    last_name: 'Tanaka',
    dojo_name: 'Back\\slash',
    city: 'Austin',
    state: 'Alaska' as const,
    students: 1,
  },
  {
    first_name: 'bob',
    last_name: 'Adams',
    dojo_name: 'Aikido Hall',
    city: 'San José',
    students: 1,
  },
  {
    first_name: 'Anna',
    last_name: 'Ø',
    dojo_name: 'Zen',
    city: 'Waco',
    students: 0,
    inactive: true,
  },
  {
    first_name: 'Duc',
    last_name: 'Nguyễn',
    dojo_name: 'aikidoXhall',
    city: 'Austin',
    students: 2,
    inactive: true,
  },
]
for (const { students, inactive = false, ...form } of PEOPLE) {
  const sensei = await server.createSensei(form)
  for (let n = 0; n < students; n += 1) await server.createStudent(sensei)
  if (inactive) await toggle(sensei.id)
}

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
const SORT_KEYS: Record<string, (sensei: Sensei) => string | number> = {
  created: ({ created_at }) => created_at,
  name: ({ full_name }) => fold(full_name),
  dojo: ({ dojo_name }) => fold(dojo_name!),
  place: ({ city, state }) => fold(`${city}, ${state}`),
  students: ({ total_students }) => total_students,
  status: ({ is_active, created_at }) => `${is_active ? 1 : 0} ${created_at}`,
}
/** A leading "-" sorts descending. When sorting by status, active sensei come first. */
function sortIds(rows: Sensei[], sort: SenseiSort): string[] {
  const key = sort.replace('-', ''),
    isDescending = sort.startsWith('-') !== (key === 'status')
  const compare = <T extends string | number>(a: T, b: T) => {
    if (a === b) return 0
    return a < b ? -1 : 1
  }
  const ascendingRows = rows.toSorted(
    (a, b) => compare(SORT_KEYS[key]!(a), SORT_KEYS[key]!(b)) || compare(a.sensei_id, b.sensei_id),
  )
  return (isDescending ? ascendingRows.toReversed() : ascendingRows).map(
    ({ sensei_id }) => sensei_id,
  )
}
const listIds = (rows: Sensei[]) => rows.map(({ sensei_id }) => sensei_id)

describe.each(SENSEI_SORTS)('sorted by %s', (sort) => {
  test.each(SENSEI_FILTERS)(
    '%s: pages of any size give the same order as the whole list',
    async (status) => {
      const expected = (await listSensei()).filter(
        ({ is_active }) => status === 'all' || is_active === (status === 'active'),
      )
      const wholeList = listIds(await listSensei({ sort, status }))
      expect(wholeList).toEqual(sortIds(expected, sort))
      for (const limit of [1, 2, 4, wholeList.length]) {
        const ids: string[] = []
        for (
          let page = await listSensei({ sort, status, limit });
          page.length > 0;
          page = await listSensei({ sort, status, limit, before: ids.at(-1) })
        ) {
          expect(page.length).toBeLessThanOrEqual(limit)
          ids.push(...listIds(page))
        }
        expect(ids).toEqual(wholeList)
      }
    },
  )
})

test('lists all sensei without parameters, newest first', async () => {
  // Other lists return fewer rows without a limit.
  const dojos = Array.from({ length: 201 }, () => ({ id: newId(), email: `${newId()}@many.com` }))
  await server.db.withoutDojo(async (tx) => {
    const dojoRows = sql`jsonb_to_recordset(${JSON.stringify(dojos)}::jsonb) as r(id uuid, email text)`
    await tx.execute(
      sql`insert into dojos (id, name, invite_code, created_at) select id, 'Many', id, now() from ${dojoRows}`,
    )
    await tx.execute(sql`insert into accounts (id, dojo_id, email, password_hash, role, is_active, created_at)
      select id, id, email, 'none', 'instructor', true, now() from ${dojoRows}`)
  })
  for (const { id, email } of dojos)
    await server.db.inDojo(id, (tx) => insertOwner(tx, { id, name: 'Many', email }))
  const rows = await listSensei()
  expect(rows).toHaveLength(dojos.length + PEOPLE.length)
  expect(listIds(rows.slice(0, dojos.length))).toEqual(dojos.map(({ id }) => id).toReversed())
  expect(await listSensei({ limit: 1000 })).toHaveLength(201 + PEOPLE.length)
  expect(await listSensei({ search: 'many.com', limit: 1000 })).toHaveLength(201)
})

describe('the search', () => {
  const findNames = async (search: string) =>
    (await listSensei({ search })).map(({ full_name }) => full_name).toSorted()
  test.each([
    ['the name without its accents', 'emile', ['Émile Roux']],
    ['accents that the name lacks', 'ZÓÉ', ['Zoe Tanaka']],
    ['a decomposed accent', 'E\u0301mile', ['Émile Roux']],
    ['a part of the last name', 'guyen', ['Duc Nguyễn']],
    ['a dojo in capitals', 'AIKIDO HALL', ['bob Adams']],
    ['a city', 'san jose', ['bob Adams']],
    ['a state', 'alaska', ['Zoe Tanaka']],
    ['a percent sign as itself', '100%', ['Émile Roux']],
    ['an underscore as itself', 'aikido_hall', ['bob Adams']],
    ['a backslash as itself', 'back\\slash', ['Zoe Tanaka']],
    ['two letters at the start of a word', 'ta', ['Zoe Tanaka']],
    ['one letter at the start of a word', 'é', ['Émile Roux']],
    ['spaces around it', '  Émile  ', ['Émile Roux']],
  ])('matches %s', async (_, search, names) => {
    expect(await findNames(search)).toEqual(names)
  })
  test.each([
    ['a percent sign alone', '%'],
    ['SQL', "' or 1=1 --"],
    ['words from two different fields', 'roux zen'],
    ['an unknown name', 'no such name'],
  ])('finds nothing for %s', async (_, search) => {
    expect(await findNames(search)).toEqual([])
  })

  test('matches names with or without punctuation, and "ü" by "u" or "ue"', async () => {
    const names = [
      ['Tom', 'O’Brien'],
      ['Tim', "O'Brien"],
      ['Tam', 'OBrien'],
      ['Tem', 'O Brien'],
    ]
    for (const [first_name, last_name] of [...names, ['Jörg', 'Müller-Stein'], ['Ole', 'Mueller']])
      await server.createSensei({ first_name: first_name!, last_name: last_name! })
    const brians = names.map((name) => name.join(' ')).toSorted()
    for (const query of ['OBrien', 'o brien', 'O’Brien', "o'brien", 'obr'])
      expect([query, await findNames(query)]).toEqual([query, brians])
    for (const query of ['Mueller', 'Müller', 'mueller'])
      expect([query, await findNames(query)]).toEqual([query, ['Jörg Müller-Stein', 'Ole Mueller']])
    for (const query of ['muller', 'mullerstein', 'mueller stein', 'Müller-Stein'])
      expect([query, await findNames(query)]).toEqual([query, ['Jörg Müller-Stein']])
  })

  test('ignores invisible characters in names', async () => {
    // Forms refuse such characters now, but older names may contain them.
    await grantEverything(server)
    const sensei = await server.createSensei()
    for (const character of INVISIBLE_CHARACTERS) {
      const name = `R${character}enée Du${character}val`
      await server.db.inDojo(sensei.dojoId, (tx) =>
        tx.execute(sql`update instructors set name = ${name} where id = ${sensei.id}`),
      )
      for (const query of [
        'renee',
        'duval',
        're',
        `du${character}val`,
        `re${character}née d`,
        `re${character}`,
      ])
        expect([character, query, await findNames(query)]).toEqual([character, query, [name]])
    }
  })

  test('normalizes names in the database as in the browser', async () => {
    const names = [
      ...INVISIBLE_CHARACTERS.map((character) => `Zo${character}ë Ad${character}ams`),
      ...['Müller', 'Mu\u0308ller', 'GROẞE', 'Øyvind Ærø', 'Łukasz Żółć', 'Đặng', 'Åsa', 'Þórunn'],
      ...['Œuvre', 'ISTANBUL ı', 'Ａｎｎ', 'Ольга', 'Σοφία', '山田 太郎', "O'Brien-Smith Jr."],
    ]
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute<{ plain: string; written_out: string }>(
        sql`select plain_letters(name) as plain, written_out_letters(name) as written_out
          from unnest(${sql.param(names)}::text[]) with ordinality as given (name, place)
            order by place`,
      ),
    )
    expect(rows).toEqual(
      names.map((name) => ({ plain: normalize(name), written_out: expandUmlauts(name) })),
    )
  })

  test('matches an email in capitals', async () => {
    const [zoe] = await listSensei({ search: 'Zoe Tanaka' })
    expect(listIds(await listSensei({ search: zoe!.email.toUpperCase() }))).toEqual([
      zoe!.sensei_id,
    ])
  })

  test('filters, sorts and pages the results', async () => {
    const listDojoNames = async (query: object) =>
      (await listSensei({ search: 'aikido', sort: 'dojo', ...query })).map(
        ({ dojo_name }) => dojo_name,
      )
    expect(await listDojoNames({})).toEqual(['Aikido Hall', 'aikido_hall', 'aikidoXhall'])
    expect(await listDojoNames({ status: 'inactive' })).toEqual(['aikido_hall', 'aikidoXhall'])
    const [firstSensei] = await listSensei({ search: 'aikido', sort: 'dojo', limit: 1 })
    expect(await listDojoNames({ limit: 1, before: firstSensei!.sensei_id })).toEqual([
      'aikido_hall',
    ])
  })

  test('ignores a search of only spaces', async () => {
    expect(await listSensei({ search: '   ' })).toEqual(await listSensei())
  })
})

test.each([
  [{ limit: 0 }, 'Limit must be 1 or more'],
  [{ limit: 1001 }, 'Limit must be at most 1,000'],
  [{ limit: 'x' }, 'Limit must be a number'],
  [{ before: 'x' }, 'Before must be the id of a record'],
  [{ status: 'gone' }, 'Status is not valid'],
  [{ sort: 'password_hash' }, 'Sort is not valid'],
  [{ sort: 'name desc' }, 'Sort is not valid'],
  [{ search: 'a'.repeat(101) }, 'Search must be at most 100 characters'],
  [{ search: 'a\u0000b' }, 'Search must not contain control characters'],
])('refuses %j with 422', async (query, detail) => {
  const { status, body } = await superAdmin.get(listPath(query))
  expect([status, body.detail]).toEqual([422, detail])
})

test('lists nothing after an unknown id', async () => {
  expect(await listSensei({ before: newId() })).toEqual([])
})

/** Computes the expected list and totals from the original tables. */
const readExpectedList = () =>
  server.db.withoutDojo((tx) =>
    asOverseer(tx, async (overseerTx) => {
      const { rows } = await overseerTx.execute<{ id: string; is_active: boolean }>(sql`
        select i.id, i.name as full_name, i.email, i.phone_number as contact_number, d.name as
          dojo_name, d.city, d.state, a.is_active,
          (select count(*)::int from students s where s.dojo_id = i.dojo_id) as total_students
        from instructors i join accounts a on a.id = i.id join dojos d on d.id = i.dojo_id
          order by i.id`)
      const activeCount = rows.filter(({ is_active }) => is_active).length
      return {
        rows,
        totals: {
          total_sensei: rows.length,
          active_sensei: activeCount,
          inactive_sensei: rows.length - activeCount,
        },
      }
    }),
  )
const readList = async () => ({
  rows: (await listSensei({ limit: 1000 }))
    .map(({ sensei_id: id, created_at: _created, activity: _activity, ...row }) => ({ id, ...row }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  totals: (await superAdmin.get('/super-admin/dashboard-stats')).body,
})

test('keeps the list and the totals exact through concurrent changes', async () => {
  const senseis = await Promise.all([1, 2, 3].map(() => server.createSensei()))
  const runInDojo = (id: string, query: ReturnType<typeof sql>) => {
    const { dojoId } = senseis.find((sensei) => sensei.id === id)!
    return server.db.inDojo(dojoId, (tx) => tx.execute(query))
  }
  await grantEverything(server)
  const changes = {
    register: () => server.anonymous.post('/sensei/register', exampleSensei()),
    toggle: (id: string) => toggle(id),
    enroll: (id: string) => server.createStudent({ id }),
    'delete a student': (id: string) =>
      runInDojo(id, sql`delete from accounts where id in (select id from students limit 1)`),
    'fail to enroll': (id: string) =>
      runInDojo(
        id,
        sql`with s as (select * from students limit 1) insert into students (id, email, name, created_at) select id, email, name, now() from s`,
      ).catch(() => {}),
    rename: (id: string) =>
      runInDojo(
        id,
        sql`update instructors set name = ${`Name ${newId()}`}, phone_number = null where id = ${id}`,
      ),
    move: (id: string) =>
      runInDojo(
        id,
        sql`update dojos set name = ${newId()}, city = null where id = current_setting('app.dojo_id')::uuid`,
      ),
    'change the email': (id: string) =>
      runInDojo(id, sql`update accounts set email = ${`${newId()}@moved.com`} where id = ${id}`),
  }
  const change = fc.tuple(
    fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    fc.nat(2),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (batch) => {
      await Promise.all(
        batch.map(([changeName, senseiIndex]) => changes[changeName](senseis[senseiIndex]!.id)),
      )
      expect(await readList()).toEqual(await readExpectedList())
    }),
    { numRuns: 15 },
  )
})

test('keeps the list exact while instructors and students join, and after one leaves', async () => {
  const sensei = await server.createSensei()
  const addInstructor = async () => {
    const id = newId(),
      email = `${id}@second.com`
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.execute(sql`insert into accounts (id, dojo_id, email, password_hash, role, is_active, created_at)
        values (${id}, ${sensei.dojoId}, ${email}, 'none', 'instructor', true, now())`)
      await insertOwner(tx, { id, name: 'Second', email })
    })
    return id
  }
  const [addedInstructorId] = await Promise.all([
    addInstructor(),
    ...Array.from({ length: 6 }, () => server.createStudent(sensei)),
    addInstructor(),
  ])
  expect(await readList()).toEqual(await readExpectedList())
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`delete from accounts where id = ${addedInstructorId}`),
  )
  expect(await readList()).toEqual(await readExpectedList())
})
