import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'
import { staffMembers } from '../tables.ts'

/** A school without rows has `DEFAULT_CERTIFICATE_KINDS`. */
export const certificateKinds = pgTable(
  'certificate_kinds',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    /** How long a certificate usually lasts. */
    months: smallint().notNull(),
    /** Months between rechecks. Null if there are none. */
    recheck_months: smallint(),
    /** No longer offered. Certificates of this kind are kept. */
    is_removed: boolean().notNull().default(false),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** We store no certificate numbers and no reports of background checks. */
export const staffCertificates = pgTable(
  'staff_certificates',
  {
    dojo_id: dojoId(),
    id: id(),
    staff_id: uuid().notNull(),
    kind_id: uuid().notNull(),
    got_on: date().notNull(),
    /** The last day on which it is valid. */
    expires_on: date().notNull(),
    /** The last day for the next recheck, if that is before the certificate expires. */
    recheck_on: date(),
    note: text(),
    /** The deadline that the last notice was about, and how many days ahead that notice was. */
    noticed_day: date(),
    noticed_days_ahead: smallint(),
    /** A removed certificate can be restored until retention deletes it. */
    removed_at: instant(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    foreignKey({
      name: 'staff_certificates_staff',
      columns: [t.dojo_id, t.staff_id],
      foreignColumns: [staffMembers.dojo_id, staffMembers.instructor_id],
    }).onDelete('cascade'),
    reference('staff_certificates_kind', [t.dojo_id, t.kind_id], certificateKinds),
    index('staff_certificates_of_staff').on(t.dojo_id, t.staff_id, t.kind_id),
    index('staff_certificates_by_due_day').on(
      sql`coalesce(${t.recheck_on}, ${t.expires_on})`,
      t.dojo_id,
    ),
    index('staff_certificates_removed').on(t.removed_at, t.dojo_id),
    check('staff_certificates_days', sql`${t.got_on} < ${t.expires_on}`),
    check('staff_certificates_recheck', sql`${t.recheck_on} < ${t.expires_on}`),
  ],
)

export const certificateTables: TableRules[] = [
  {
    table: certificateKinds,
    exported: { name: 'certificate_kinds', about: 'Kinds of staff certificates' },
  },
  {
    table: staffCertificates,
    exported: {
      name: 'staff_certificates',
      about: 'Certificates of staff, such as first aid',
      hidden: ['noticed_day', 'noticed_days_ahead'],
    },
    kept: {
      since: staffCertificates.removed_at,
      days: 30,
      description: 'Certificates of staff, after they are removed',
    },
    hiddenFromOverseer: [staffCertificates.note],
  },
]
