import { setClock } from './clock.ts'
import { dojoIdOf } from './fixtures.ts'
import { ledgerRowFixtures } from './ledger-rows.ts'
import type { startTestServer } from './test-server.ts'

export function paymentFixtures(server: Awaited<ReturnType<typeof startTestServer>>) {
  async function createDojo(...names: string[]) {
    setClock('2026-03-05T18:00:00Z')
    const sensei = await server.createSensei()
    const dojoId = await dojoIdOf(server.db, sensei.id)
    const students = []
    for (const name of names) students.push(await server.createStudent(sensei, { name }))
    const ledger = ledgerRowFixtures(server.db, dojoId)
    const pay = async (payingStudents: { id: string }[], amount = 85.5) => {
      const lines = []
      for (const { id } of payingStudents) {
        const charge_id = await ledger.addCharge(id, amount)
        lines.push({
          student_id: id,
          charge_id,
          kind: 'payment' as const,
          amount: -amount,
          method: 'cash' as const,
        })
      }
      const { act_id, ids } = await ledger.addAct(lines)
      return { act_id, lines: lines.map((line, index) => ({ ...line, id: ids[index]! })) }
    }
    const issue = (act_id: string, student_id?: string) =>
      sensei.post('/receipts', { act_id, ...(student_id && { student_id }) })
    return { sensei, dojoId, students, ledger, pay, issue }
  }
  const createPayer = (sensei: { id: string }, students: { id: string }[], changes: object = {}) =>
    server.createGuardian(sensei, [], {
      name: 'Rosa Diaz',
      students: students.map(({ id }) => ({ student_id: id, pays: true })),
      ...changes,
    })
  return { createDojo, createPayer }
}
