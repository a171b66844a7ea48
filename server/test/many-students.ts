import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Database } from '../db/database.ts'

/** So many students of a dojo in two statements, each with a phone of their own but for every `sharing`-th, who has the one before's phone and name. */
export async function manyStudents(db: Database, dojoId: string, count: number, { sharing = Infinity, from = 0 } = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const place = from + ((index + 1) % sharing === 0 ? index - 1 : index)
    return { id: newId(), email: `${newId()}@home.org`, name: `${letters(place)} Adams`, phone: `+1512${String(2_000_000 + place)}` }
  })
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, email text, name text, phone text)`
  await db.inDojo(dojoId, async (tx) => {
    await tx.execute(
      sql`insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at) select id, email, 'none', 'student', ${dojoId}, true, now() from ${given}`,
    )
    await tx.execute(
      sql`insert into students (id, email, name, phone_number, created_at) select id, email, name, phone, now() from ${given}`,
    )
  })
}

/** A first name of its own for each number. */
const letters = (place: number): string =>
  `${place >= 26 ? letters(Math.floor(place / 26) - 1) : ''}${String.fromCharCode(97 + (place % 26))}`
