import type { PaymentMethod } from '@tatami/contract/ledger/ledger'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { Act } from '../ledger/ledger.ts'
import { invalid } from '../lib/refusal.ts'

type PaymentDetails = {
  method?: PaymentMethod | null | undefined
  note?: string | null | undefined
  received_on?: string | null | undefined
}

/** An act of an instructor, made today unless `received_on` is earlier. 422 for a later day. */
export async function newAct(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  { method, note, received_on }: PaymentDetails = {},
): Promise<Act> {
  const today = await todayOf(tx, caller.dojoId)
  if (received_on && received_on > today)
    throw invalid('received_on', 'Date must not be in the future')
  return {
    id: newId(),
    created_by: caller.id,
    made_on: received_on ?? today,
    method: method ?? null,
    note: note ?? null,
  }
}
