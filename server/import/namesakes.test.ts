import { describe, expect, test } from 'vitest'
import { startMailServer } from '../test/mail-server.ts'
import { importBodyOfTable, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const { smtpUrl } = await startMailServer()
const server = await startTestServer({ smtpUrl })
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const HEADINGS = ['Name', 'DOB', 'Email', 'Phone', 'Parent', 'Parent Email', 'Parent Phone']
const CHILD_BIRTHDAY = '2015-03-04'
/** Cells that are missing at the end of a row are empty. */
function importBody(...rows: string[][]) {
  const fullRows = rows.map((row) => HEADINGS.map((_, column) => row[column] ?? ''))
  return importBodyOfTable([HEADINGS, ...fullRows])
}

const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))

describe('twins and namesakes', () => {
  test('count as two people unless enough of their data matches', async () => {
    const sensei = await server.createSensei()
    const phone = '512-555-0142'
    const body = importBody(
      ['Sam Lee', CHILD_BIRTHDAY, '', phone],
      ['Samantha Lee', CHILD_BIRTHDAY, '', phone],
      ['Mary Ann Jones', CHILD_BIRTHDAY, '', phone],
      ['Mary Beth Jones', CHILD_BIRTHDAY, '', phone],
      ['Emma Clark', '', 'emma.a@example.com', '512-555-0145'],
      ['Emma Clark', '', 'emma.b@example.com', '737-555-0188'],
      ['Juan Carlos Perez', CHILD_BIRTHDAY, '', '512-555-0146'],
      ['Juan Pablo Perez', CHILD_BIRTHDAY, '', '737-555-0147'],
    )
    const plan = await preview(sensei, body)
    expect([plan.students, plan.merged]).toEqual([8, 0])
    expect(
      plan.duplicates.map(({ row, same_as_row, choice }: any) => [row, same_as_row, choice]),
    ).toEqual([
      [1, 0, 'add'],
      [3, 2, 'add'],
      [5, 4, 'add'],
      [7, 6, 'add'],
    ])
    expect(plan.duplicates[0]).toMatchObject({
      row_facts: { name: 'Samantha Lee', date_of_birth: CHILD_BIRTHDAY, emails: [], phone },
      other_facts: { name: 'Sam Lee', date_of_birth: CHILD_BIRTHDAY, emails: [], phone },
    })
  })

  test.each([
    [
      'full name and email',
      ['Emma Clark', '', 'emma@example.com'],
      ['Clark, Emma', '', 'Emma@example.com'],
      'update',
    ],
    [
      'full name, phone and birthday',
      ['Bo Li', CHILD_BIRTHDAY, '', '512-555-0142'],
      ['bo li', CHILD_BIRTHDAY, '', '(512) 555-0142'],
      'update',
    ],
    [
      'full name and a parent’s email',
      ['Bo Li', CHILD_BIRTHDAY, 'mei@example.com'],
      ['Bo Li', CHILD_BIRTHDAY, 'mei@example.com'],
      'update',
    ],
    [
      'full name and phone',
      ['Bo Li', '', '', '512-555-0142'],
      ['Bo Li', '', '', '512-555-0142'],
      'add',
    ],
    [
      'full name, birthday and a guardian’s phone',
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-0142'],
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '(512) 555-0142'],
      'update',
    ],
    [
      'full name, birthday and the phone of a guardian with another name',
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-0142'],
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mom', '', '512-555-0142'],
      'update',
    ],
    [
      'full name, birthday and phone, which is a guardian’s phone in the second row',
      ['Bo Li', CHILD_BIRTHDAY, '', '512-555-0142'],
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-0142'],
      'update',
    ],
    [
      'full name, birthday and a guardian’s phone, but different phones of their own',
      ['Bo Li', CHILD_BIRTHDAY, '', '737-555-0188', 'Mei Li', '', '512-555-0142'],
      ['Bo Li', CHILD_BIRTHDAY, '', '737-555-0199', 'Mei Li', '', '512-555-0142'],
      'add',
    ],
    [
      'full name and birthday, but different guardians',
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-0142'],
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Ann Li', '', '737-555-0188'],
      'add',
    ],
    [
      'full name and a guardian’s phone',
      ['Bo Li', '', '', '', 'Mei Li', '', '512-555-0142'],
      ['Bo Li', '', '', '', 'Mei Li', '', '512-555-0142'],
      'add',
    ],
    [
      'full name, birthday and a guardian’s placeholder number',
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-5555'],
      ['Bo Li', CHILD_BIRTHDAY, '', '', 'Mei Li', '', '512-555-5555'],
      'add',
    ],
    ['full name and birthday', ['Bo Li', CHILD_BIRTHDAY], ['Bo Li', CHILD_BIRTHDAY], 'add'],
    ['full name alone', ['Bo Li'], ['Bo Li'], 'add'],
    [
      'full name and a placeholder email',
      ['Bo Li', '', 'none@none.com'],
      ['Bo Li', '', 'none@none.com'],
      'add',
    ],
    [
      'email, and the names in another order',
      ['Thomas James', '', 'j@example.com'],
      ['James Thomas', '', 'j@example.com'],
      'add',
    ],
  ])('with the same %s get the right default choice', async (_, row, otherRow, choice) => {
    const sensei = await server.createSensei()
    const plan = await preview(sensei, importBody(row, otherRow))
    expect(plan.duplicates).toMatchObject([{ row: 1, same_as_row: 0, choice }])
    await importSheet(sensei, importBody(row))
    expect((await preview(sensei, importBody(otherRow))).duplicates).toMatchObject([
      { row: 0, same_as_row: null, choice },
    ])
  })

  test('are not added again when a list of children and parents is imported twice', async () => {
    const sensei = await server.createSensei()
    const body = importBody(
      ['Ken Adams', CHILD_BIRTHDAY, '', '', 'Ann Adams', '', '512-555-0142'],
      // Ken's twin
      ['Mia Adams', CHILD_BIRTHDAY, '', '', 'Ann Adams', '', '512-555-0142'],
      ['Leo Kim', '2016-04-25', '', '', 'Jin Kim', '', '512-555-0143'],
    )
    const firstResult = await importSheet(sensei, body)
    expect([firstResult.students, firstResult.merged, firstResult.guardians]).toEqual([3, 0, 2])
    const plan = await preview(sensei, body)
    expect([plan.students, plan.merged, plan.guardians]).toEqual([0, 3, 0])
    const details = {
      date_of_birth: CHILD_BIRTHDAY,
      phone: null,
      guardians: ['Ann Adams'],
      guardian_phones: ['512-555-0142'],
    }
    expect(plan.duplicates[0]).toMatchObject({
      choice: 'update',
      reasons: ['name', 'phone', 'birthday'],
      row_facts: { name: 'Ken Adams', ...details },
      other_facts: { name: 'Ken Adams', ...details },
    })
    const studentsBefore = (await sensei.get('/students')).body
    await importSheet(sensei, body)
    expect((await sensei.get('/students')).body).toEqual(studentsBefore)
  })

  test('with different birthdays count as two people without a question', async () => {
    const sensei = await server.createSensei()
    const email = 'emma@example.com'
    const body = importBody(
      ['Emma Clark', CHILD_BIRTHDAY, email],
      ['Emma Clark', '2012-01-02', email],
    )
    const plan = await preview(sensei, body)
    expect([plan.students, plan.duplicates]).toEqual([2, []])
  })

  test('are found by email among two thousand people with the same name', async () => {
    const sensei = await server.createSensei()
    const rows = Array.from({ length: 2000 }, (_, index) => [
      'Ken Smith',
      `20${String(10 + (index % 9))}-0${(index % 8) + 1}-1${index % 7}`,
      `ken${index}@home.example`,
    ])
    const plan = await preview(sensei, importBody(...rows))
    expect(plan.students).toBe(2000)
    const secondBody = importBody(...rows.slice(0, 1999), ['Ken Smith', '', 'ken5@home.example'])
    expect((await preview(sensei, secondBody)).duplicates.at(-1)).toMatchObject({
      row: 1999,
      same_as_row: 5,
      choice: 'update',
    })
  })
})
