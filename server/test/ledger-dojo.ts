import type { MonthDue } from '@tatami/contract/ledger/payment-records'
import type { Account, AccountCharge, Balance, LedgerLine } from '@tatami/contract/ledger/ledger'
import { runDueJobs } from '../schedule.ts'
import { setClock } from './clock.ts'
import { exampleStudent, signInAs } from './fixtures.ts'
import type { startTestServer } from './test-server.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>
export const [FEBRUARY, MARCH, APRIL, MAY] = [1, 2, 3, 4]

export const runJobs = (server: TestServer) =>
  runDueJobs(server.db, (error) => {
    throw error
  })

/** Creates a dojo on March 10, 2027, with one student for each `studentFields`. The returned
 *  functions make calls as the instructor, for the student at `index`. */
export async function createLedgerDojo(server: TestServer, ...studentFields: object[]) {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const students: { id: string }[] = []
  for (const changes of studentFields)
    students.push(
      (
        await sensei.post(
          '/students',
          exampleStudent({
            class_preferences: ['saturday'],
            monthly_payment_amount: 100,
            ...changes,
          }),
        )
      ).body.student,
    )
  await runJobs(server)
  let client = server.clientFor(sensei.token)
  const call = {
    get: (path: string) => client.get(path),
    post: (path: string, body: object = {}) => client.post(path, body),
    put: (path: string, body: object = {}) => client.put(path, body),
    remove: (path: string) => client.delete(path),
  }
  const moveClockTo = async (moment: string) => {
    setClock(moment)
    client = server.clientFor(await signInAs(server.db, sensei.id))
    await runJobs(server)
  }
  const id = (index = 0) => students[index]!.id
  const mark = (status: 'paid' | 'unpaid', changes: object = {}, index = 0) =>
    call.post('/payment-records', {
      student_id: id(index),
      payment_month: MARCH,
      payment_year: 2027,
      payment_status: status,
      ...changes,
    })
  const pay = (amount: number, changes: object = {}, index = 0) =>
    call.post('/payments', { student_id: id(index), amount, ...changes })
  const charge = (amount: number, changes: object = {}, index = 0) =>
    call.post('/charges', { student_ids: [id(index)], kind: 'equipment', amount, ...changes })
  const undo = (act: { body: { act_id: string } }) =>
    call.post(`/ledger-acts/${act.body.act_id}/undo`)
  const account = async (index = 0) =>
    (await call.get(`/students/${id(index)}/account`)).body as Account
  const balances = async () => (await call.get('/payment-balances')).body as Balance[]
  const dues = async (month = MARCH) =>
    (await call.get(`/month-dues?month=${month}&year=2027`)).body as MonthDue[]
  const records = async (month = MARCH) =>
    (await call.get(`/payment-records?month=${month}&year=2027`)).body as object[]
  const statistics = async (month = MARCH) =>
    (await call.get(`/payment-statistics?month=${month}&year=2027`)).body
  return {
    ...call,
    sensei,
    students,
    id,
    moveClockTo,
    mark,
    pay,
    charge,
    undo,
    account,
    balances,
    dues,
    records,
    statistics,
  }
}

/** Returns the month or kind, the amount and what is still owed of each charge. */
export const chargeRows = ({ charges }: Account) =>
  charges.map(({ kind, month, amount, owed }: AccountCharge) => [
    kind === 'month' ? month : kind,
    amount,
    owed,
  ])
/** Returns the kind and the amount of each line, oldest first. */
export const lineRows = ({ lines }: Account) =>
  lines.map(({ kind, amount }: LedgerLine) => [kind, amount]).toReversed()
