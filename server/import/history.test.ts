import { describe, expect, test } from 'vitest'
import { createDefaultBelts, createMainLadder } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { backdateReminderNotice, signInAs } from '../test/fixtures.ts'
import { runJobs } from '../test/ledger-dojo.ts'
import { importBodyOfCsv, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
type Client = Pick<Sensei, 'get'>

const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
const findStudent = async (sensei: Sensei, name: string) =>
  (await sensei.get('/students')).body.find((row: { name: string }) => row.name === name)
const getStudentPage = async (sensei: Sensei, name: string) =>
  (await sensei.get(`/students/${(await findStudent(sensei, name)).id}`)).body
const listDues = async (sensei: Client, month: number, year = 2026) =>
  (await sensei.get(`/month-dues?month=${month}&year=${year}`)).body
const listOwing = async (sensei: Client) => (await sensei.get('/owing')).body

/** January is 0, as in the API. */
const [OCTOBER, NOVEMBER, DECEMBER] = [9, 10, 11] as const

async function createDojo(today = '2026-11-26') {
  setClock(`${today}T18:00:00Z`)
  return server.createSensei()
}

const SHEET_WITH_FEES = importBodyOfCsv(`Name,Monthly fee,Join Date
Ken Adams,95,3/4/2019
Mia Ruiz,80,`)

describe('fees', () => {
  test('are owed from next month on unless the instructor says otherwise', async () => {
    const sensei = await createDojo()
    expect(await preview(sensei, SHEET_WITH_FEES)).toMatchObject({
      paying_students: 2,
      paid_through: '2026-11',
    })
    await importSheet(sensei, SHEET_WITH_FEES)
    expect(await listOwing(sensei)).toEqual([])
    expect(await listDues(sensei, OCTOBER)).toEqual([])
    expect(await listDues(sensei, NOVEMBER)).toEqual([])
    expect(await listDues(sensei, DECEMBER)).toMatchObject([
      { cost: 95, owed: 95, since: '2026-12-01' },
      { cost: 80, owed: 80, since: '2026-12-01' },
    ])
  })

  test('are owed for this month if the students paid only through last month', async () => {
    const sensei = await createDojo()
    await importSheet(sensei, { ...SHEET_WITH_FEES, paid_through: '2026-10' })
    expect(await listDues(sensei, OCTOBER)).toEqual([])
    expect(await listDues(sensei, NOVEMBER)).toMatchObject([
      { owed: 95, since: '2026-11-26' },
      { owed: 80, since: '2026-11-26' },
    ])
  })

  test('are not charged for months that are already paid', async () => {
    const sensei = await createDojo()
    await importSheet(sensei, { ...SHEET_WITH_FEES, paid_through: '2026-12' })
    setClock('2027-01-02T18:00:00Z')
    await runJobs(server)
    const laterClient = server.clientFor(await signInAs(server.db, sensei.id))
    expect(await listOwing(laterClient)).toMatchObject([{ total: 95 }, { total: 80 }])
    expect(await listDues(laterClient, NOVEMBER)).toEqual([])
    expect(await listDues(laterClient, DECEMBER)).toEqual([])
  })

  test('that were paid before the import do not cause a reminder', async () => {
    const sensei = await createDojo()
    await backdateReminderNotice(server.db, sensei.dojoId)
    const body = importBodyOfCsv(`Name,Phone,Monthly fee
Ken Adams,512-555-0142,95`)
    await importSheet(sensei, { ...body, paid_through: '2026-12' })
    const listReminders = async () => {
      const client = server.clientFor(await signInAs(server.db, sensei.id))
      const batches: { message_type: string }[] = (await client.get('/sms/batches')).body
      return batches.map(({ message_type }) => message_type)
    }
    for (const day of ['2026-11-30', '2026-12-01', '2026-12-02']) {
      setClock(`${day}T16:05:00Z`)
      await runJobs(server)
    }
    expect(await listReminders()).toEqual([])
    setClock('2026-12-31T16:05:00Z')
    await runJobs(server)
    expect(await listReminders()).toEqual(['pre_due'])
  })

  test('are paid through the month in the row, if the row has a month', async () => {
    const sensei = await createDojo()
    const body = importBodyOfCsv(`Name,Monthly fee,Paid Through
Ken Adams,95,12/31/2026
Mia Ruiz,80,8/31/2026
Tom Lee,70,`)
    expect((await preview(sensei, body)).paying_students).toBe(1)
    await importSheet(sensei, body)
    expect(await listDues(sensei, NOVEMBER)).toMatchObject([{ owed: 80, since: '2026-11-26' }])
    expect(await listDues(sensei, DECEMBER)).toMatchObject([{ owed: 80 }, { owed: 70 }])
  })

  test.each(['2026-09', '2027-12', '2026-13', 'now'])(
    'cannot be paid through %s',
    async (paid_through) => {
      const sensei = await createDojo()
      expect(
        (await sensei.post('/student-imports/preview', { ...SHEET_WITH_FEES, paid_through }))
          .status,
      ).toBe(422)
    },
  )
})

test('stores the join date, and counts time in the rank from the last promotion', async () => {
  const sensei = await createDojo()
  await importSheet(
    sensei,
    importBodyOfCsv(`Name,Join Date,Belt,Last Promotion,Classes since promotion
Ken Adams,3/4/2019,Green,5/6/2026,31
Mia Ruiz,9/1/2026,White,,
Tom Lee,,Blue,,`),
  )
  expect(await getStudentPage(sensei, 'Ken Adams')).toMatchObject({
    joined_on: '2019-03-04',
    enrolled_on: '2026-11-26',
    first_belt_since: '2026-05-06',
  })
  expect((await getStudentPage(sensei, 'Tom Lee')).joined_on).toBe('2026-11-26')
  // The history counts even if the school sets up its belts after the import.
  await createDefaultBelts(server.db, sensei.dojoId)
  const getBeltProgress = async (name: string) => {
    const { id } = await findStudent(sensei, name)
    return (await sensei.get(`/students/${id}/belts`)).body.styles[0]
  }
  expect(await getBeltProgress('Ken Adams')).toMatchObject({ since: '2026-05-06', classes: 31 })
  expect((await getBeltProgress('Mia Ruiz')).since).toBe('2026-09-01')
  expect((await getBeltProgress('Tom Lee')).since).toBe('2026-11-26')
})

describe('balances', () => {
  const body = importBodyOfCsv(`Name,Balance
Ken Adams,45.00
Mia Ruiz,-20
Tom Lee,0`)

  test('are not imported until the instructor says what a positive amount means', async () => {
    const sensei = await createDojo()
    expect((await preview(sensei, body)).balances_in_sheet).toEqual({
      owing_students: 0,
      owed: 0,
      students_with_credit: 0,
      credit: 0,
      debts_with_open_month: 0,
      repeated: 0,
      unclear_amount: '45.00',
    })
    await importSheet(sensei, body)
    expect((await sensei.get('/payment-balances')).body).toEqual([])
  })

  test('become debts as of today, or credit that does not count as revenue', async () => {
    const sensei = await createDojo()
    const answeredBody = { ...body, balance_meaning: 'owed' }
    expect((await preview(sensei, answeredBody)).balances_in_sheet).toMatchObject({
      owing_students: 1,
      owed: 45,
      students_with_credit: 1,
      credit: 20,
    })
    await importSheet(sensei, answeredBody)
    const [ken, mia] = [
      await findStudent(sensei, 'Ken Adams'),
      await findStudent(sensei, 'Mia Ruiz'),
    ]
    const balances = (await sensei.get('/payment-balances')).body
    expect(balances).toHaveLength(2)
    expect(balances).toEqual(
      expect.arrayContaining([
        { student_id: ken.id, owed: 45, credit: 0, owed_since: '2026-11-26' },
        { student_id: mia.id, owed: 0, credit: 20, owed_since: null },
      ]),
    )
    const figures = (await sensei.get('/payment-figures?from=2026-11&to=2026-11')).body
    expect(figures.months).toMatchObject([{ received: 0, written_off: 0, owed: 45 }])
  })

  test('that are the same for all siblings are owed once by the family by default', async () => {
    const sensei = await createDojo()
    const familyBody = importBodyOfCsv(`Name,DOB,Parent,Parent Phone,Amount Owed
Ken Adams,3/4/2014,Ann Adams,512-555-0142,60
Mia Adams,3/4/2016,Ann Adams,512-555-0142,60
Tom Lee,3/4/2014,Jin Lee,512-555-0143,60`)
    expect((await preview(sensei, familyBody)).balances_in_sheet).toMatchObject({
      owing_students: 2,
      owed: 120,
      repeated: 1,
    })
    const bodyOwedByEach = { ...familyBody, repeats_balances: true }
    expect((await preview(sensei, bodyOwedByEach)).balances_in_sheet).toMatchObject({
      owing_students: 3,
      owed: 180,
    })
    await importSheet(sensei, familyBody)
    expect(await listOwing(sensei)).toMatchObject([{ total: 60 }, { total: 60 }])
  })

  const bodyWithOpenMonth = importBodyOfCsv(`Name,Monthly fee,Past Due,Paid Through
Mia Ruiz,95,95,October 2026
Ken Adams,80,,October 2026
Tom Lee,80,60,November 2026
Ann Day,70,70,`)

  test('include this month’s fee, so that nobody owes it twice', async () => {
    const sensei = await createDojo()
    const answeredBody = { ...bodyWithOpenMonth, balance_meaning: 'owed' }
    expect(await preview(sensei, answeredBody)).toMatchObject({
      balances_in_sheet: { owing_students: 3, owed: 225, debts_with_open_month: 1 },
      paid_students: 0,
    })
    await importSheet(sensei, answeredBody)
    const totals = (await listOwing(sensei)).map(({ total }: { total: number }) => total)
    expect(totals.toSorted()).toEqual([60, 70, 80, 95])
    expect(await listDues(sensei, NOVEMBER)).toMatchObject([{ owed: 80 }])
  })

  test('do not include this month’s fee if the instructor says so', async () => {
    const sensei = await createDojo()
    const answeredBody = {
      ...bodyWithOpenMonth,
      balance_meaning: 'owed',
      debts_include_this_month: false,
    }
    expect((await preview(sensei, answeredBody)).balances_in_sheet).toMatchObject({
      owing_students: 3,
      owed: 320,
    })
    await importSheet(sensei, answeredBody)
    expect(await listDues(sensei, NOVEMBER)).toMatchObject([{ owed: 95 }, { owed: 80 }])
  })

  test('with three decimals are never read as thousands', async () => {
    const sensei = await createDojo()
    const amounts = importBodyOfCsv(`Name,Monthly fee,Amount Owed
Ken Adams,95.00,11.875
Mia Ruiz,31.667,`)
    const { balances_in_sheet, notices } = await preview(sensei, amounts)
    expect(balances_in_sheet).toMatchObject({ owed: 11.88 })
    expect(notices).toMatchObject([
      { row: 0, field: 'amount_owed', message: '“11.875” is read as $11.88' },
      { row: 1, field: 'monthly_payment_amount', message: '“31.667” is read as $31.67' },
    ])
  })

  test('can be undone for a single student', async () => {
    const sensei = await createDojo()
    await importSheet(sensei, { ...body, balance_meaning: 'owed' })
    const mia = await findStudent(sensei, 'Mia Ruiz')
    const { lines } = (await sensei.get(`/students/${mia.id}/account`)).body
    expect(lines).toMatchObject([
      { kind: 'charge', amount: -20, note: 'Balance brought forward', charge_id: null },
    ])
    expect((await sensei.post(`/ledger-acts/${lines[0].act_id}/undo`, {})).status).toBe(200)
    expect((await sensei.get('/payment-balances')).body).toMatchObject([{ owed: 45 }])
  })

  test('are removed when the import is undone', async () => {
    const sensei = await createDojo()
    const { import: importResult } = await importSheet(sensei, { ...body, balance_meaning: 'owed' })
    const undoResult = requireOk(await sensei.post(`/student-imports/${importResult.id}/undo`, {}))
    expect(undoResult).toMatchObject({ students: 3, kept: [] })
    expect((await sensei.get('/payment-balances')).body).toEqual([])
    const figures = (await sensei.get('/payment-figures?from=2026-11&to=2026-11')).body
    expect(figures.months).toMatchObject([{ received: 0, owed: 0 }])
  })
})

describe('belts', () => {
  const body = importBodyOfCsv(`Name,Belt
Ken Adams,Purple
Mia Ruiz,purple belt
Tom Lee,White`)

  test('with an unknown name raise one question', async () => {
    const sensei = await createDojo()
    expect(await preview(sensei, body)).toMatchObject({
      students: 1,
      rows_with_problems: 2,
      belts_in_sheet: [
        { belt: 'Purple', rows: 2, is_known: false, belt_level: null, rank_id: null },
        { belt: 'White', rows: 1, is_known: true, belt_level: 'white', rank_id: null },
      ],
    })
    const answeredBody = { ...body, belts: [{ belt: 'Purple', belt_level: 'blue' }] }
    expect(await importSheet(sensei, answeredBody)).toMatchObject({
      students: 3,
      rows_with_problems: 0,
    })
    expect(await findStudent(sensei, 'Mia Ruiz')).toMatchObject({ belt_level: 'blue' })
  })

  test('match the school’s own ranks with the same name', async () => {
    const sensei = await createDojo()
    const [lowest, second] = await createMainLadder(server.db, sensei.dojoId)
    const bodyOfRanks = importBodyOfCsv(`Name,Belt
Ken Adams,${second!.name}
Mia Ruiz,Gold`)
    const answeredBody = { ...bodyOfRanks, belts: [{ belt: 'gold', rank_id: lowest!.id }] }
    await importSheet(sensei, answeredBody)
    expect((await findStudent(sensei, 'Ken Adams')).rank).toMatchObject({ id: second!.id })
    expect((await findStudent(sensei, 'Mia Ruiz')).rank).toMatchObject({ id: lowest!.id })
  })

  test('cannot be ranks of another dojo', async () => {
    const otherSensei = await createDojo()
    const [rank] = await createMainLadder(server.db, otherSensei.dojoId)
    const sensei = await createDojo()
    const answeredBody = { ...body, belts: [{ belt: 'Purple', rank_id: rank!.id }] }
    expect(await sensei.post('/student-imports/preview', answeredBody)).toMatchObject({
      status: 422,
      body: { detail: 'Rank is not valid' },
    })
  })
})
