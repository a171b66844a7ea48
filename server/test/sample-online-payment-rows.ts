import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'

export const ONLINE_PAYMENT_ROWS: SampleRows = {
  stripe_accounts: ({ instructor_id }) => ({
    sealed_key: 'v1.key',
    key_ending: 'rk_test_…4242',
    is_live: 'false',
    is_unrestricted: 'false',
    state: 'ready',
    // As after a restore, so that a restored copy is equal.
    server_identity: 'restored',
    changed_by: instructor_id,
    changed_at: created_at,
  }),
  online_payers: ({ payer_id, guardian_id }) => ({ id: payer_id, guardian_id, created_at }),
  pay_links: ({ payer_id }) => ({ id: newId(), payer_id, token_hash: newId(), created_at }),
  online_payments: ({ online_payment_id, payer_id }) => ({
    id: online_payment_id,
    payer_id,
    state: 'open',
    amount: '9500',
    is_live: 'false',
    checkout_id: newId(),
    expires_at: created_at,
    created_at,
    next_check_at: '2099-01-01T00:00:00Z',
  }),
  online_payment_lines: ({ online_payment_id, student_id, charge_id }) => ({
    id: newId(),
    payment_id: online_payment_id,
    student_id,
    pays_for: charge_id,
    charge_id,
    name: 'Leo: Equipment',
    amount: '9500',
  }),
  stripe_events: () => ({
    event_id: newId(),
    type: 'checkout.session.completed',
    object_id: 'cs_test_1',
    received_at: created_at,
  }),
}
