import { expect } from 'vitest'
import type { startServerWithAutopay } from '../autopay-payers.ts'
import { PASSWORD } from '../fixtures.ts'
import { TEST_KEY } from '../stripe/fake-stripe.ts'
import { setBankAnswer, type TestMethod } from '../stripe/payment-methods.ts'
import { pickFrom } from './random.ts'

type Autopay = Awaited<ReturnType<typeof startServerWithAutopay>>

/** A payer who pays with links, or by autopay. */
export type Payer = {
  dojoId: string
  studentIds: string[]
  /** Path of the pay link. */
  path: string
  /** Each payer has an IP address of their own. */
  address: string
  hasAutopay: boolean
}
export type School = { id: string; dojoId: string; payers: Payer[]; studentIds: string[] }

const DEBIT_DAY = 5
const MONTHLY_FEES = [80, 95] as const

/** A school whose families each have one or two students. */
export async function createSchool(
  autopay: Autopay,
  { linkPayers, autopayers }: { linkPayers: number; autopayers: number },
): Promise<School> {
  const sensei = await autopay.server.createSensei()
  const saving = { secret_key: TEST_KEY, current_password: PASSWORD }
  expect((await sensei.put('/online-payment/account', saving)).status).toBe(200)
  const payers: Payer[] = []
  for (let index = 0; index < linkPayers + autopayers; index += 1)
    payers.push(await createFamily(autopay, sensei, index, index >= linkPayers))
  const { id, dojoId } = sensei
  return { id, dojoId, payers, studentIds: payers.flatMap(({ studentIds }) => studentIds) }
}

type Sensei = Awaited<ReturnType<Autopay['server']['createSensei']>>

async function createFamily(
  autopay: Autopay,
  sensei: Sensei,
  index: number,
  hasAutopay: boolean,
): Promise<Payer> {
  const studentIds: string[] = []
  for (const fee of MONTHLY_FEES.slice(0, 1 + (index % 2))) {
    const student = await autopay.server.createStudent(sensei, { monthly_payment_amount: fee })
    studentIds.push(student.id)
  }
  const guardian = await autopay.server.createGuardian(sensei, [], {
    students: studentIds.map((student_id) => ({ student_id, relation: 'mother', pays: true })),
  })
  if (hasAutopay) await startAutopay(autopay, guardian, index)
  return {
    dojoId: sensei.dojoId,
    studentIds,
    path: await autopay.createLink(sensei, studentIds[0] ?? ''),
    address: `10.${Math.floor(index / 250)}.${index % 250}.1`,
    hasAutopay,
  }
}

/** Every fourth one pays from a bank account. Some cards have no money at first. */
async function startAutopay(autopay: Autopay, guardian: { id: string }, index: number) {
  const { status, body } = await autopay.agree(guardian, { day_of_month: DEBIT_DAY })
  expect(status).toBe(200)
  const isBank = index % 4 === 0
  await autopay.complete(body.url, isBank ? 'usBankAccount' : 'visa')
  const method = [...autopay.store().payment_method.values()].at(-1)
  if (index % 5 === 1)
    setBankAnswer(
      autopay.store(),
      method?.id ?? '',
      isBank ? 'usBankAccount_insufficientFunds' : 'visa_chargeDeclinedInsufficientFunds',
    )
}

/** The cards that were empty have money again. */
export function fillAccounts(autopay: Autopay): void {
  for (const method of autopay.store().payment_method.values())
    setBankAnswer(autopay.store(), method.id, method.type === 'card' ? 'visa' : 'usBankAccount')
}

/** What a payer at the page of Stripe pays with. */
export const pickMethod = (): TestMethod =>
  pickFrom(['visa', 'visa', 'visa', 'visa', 'usBankAccount', 'usBankAccount_accountClosed'])
