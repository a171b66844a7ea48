import { date, foreignKey, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { dojoId, tenantPolicies } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import { messageBatches } from '../texting/tables.ts'

/** Who was texted from the list of those who are slipping away. Whether they came back is counted from attendance. */
export const slippingTexts = pgTable(
  'slipping_texts',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    batch_id: uuid().notNull(),
    sent_on: date().notNull(),
    /** The first day whose class is a return: the day of the text, or the next one for somebody who had been there on that day already. */
    counts_from: date().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.dojo_id, t.student_id, t.batch_id] }),
    foreignKey({
      name: 'slipping_texts_student',
      columns: [t.dojo_id, t.student_id],
      foreignColumns: [students.dojo_id, students.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'slipping_texts_batch',
      columns: [t.dojo_id, t.batch_id],
      foreignColumns: [messageBatches.dojo_id, messageBatches.id],
    }).onDelete('cascade'),
    ...tenantPolicies(),
  ],
)
