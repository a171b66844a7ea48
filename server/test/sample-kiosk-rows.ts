import { newId } from '../db/columns.ts'
import { sha256 } from '../lib/secrets.ts'
import type { Ids, SampleRows } from './sample-ids.ts'

type KioskIds = Pick<Ids, 'dojo_id' | 'kiosk_id'>

export const sampleKioskToken = ({ dojo_id, kiosk_id }: KioskIds): string =>
  `kiosk-${dojo_id}-${kiosk_id.replaceAll('-', '').padEnd(43, '0')}`

const created_at = '2026-01-01T00:00:00Z'

export const KIOSK_ROWS: SampleRows = {
  kiosks: (ids) => ({
    id: ids.kiosk_id,
    name: 'Front door',
    token_hash: sha256(sampleKioskToken(ids)),
    created_by: ids.instructor_id,
    created_at,
    // The time is recent, so a call by the kiosk does not update it.
    last_used_at: new Date().toISOString(),
  }),
  kiosk_settings: () => ({ secret: newId() }),
  check_in_pins: ({ student_id }) => ({
    student_id,
    pin_hash: newId(),
    offline_key: newId(),
    changed_at: created_at,
  }),
  check_in_codes: ({ student_id }) => ({ account_id: student_id, renewed: '1', created_at }),
  kiosk_check_ins: ({ check_in_id, student_id, kiosk_id, class_id }) => ({
    id: check_in_id,
    student_id,
    kiosk_id,
    class_id,
    class_date: '2026-01-02',
    created_at,
  }),
}
