import { ladders, ranks, skills, styles } from '../belts/tables.ts'
import { guardians } from '../guardians/tables.ts'
import { gradings } from '../gradings/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import type { CsvRow } from './csv.ts'
import type { Row } from './blocks.ts'

/** Column of ids → the column of names that is added next to it. */
const NAME_COLUMNS: Record<string, string> = {
  student_id: 'student_name',
  other_id: 'other_name',
  guardian_id: 'guardian_name',
  class_id: 'class_name',
  style_id: 'style_name',
  ladder_id: 'ladder_name',
  rank_id: 'rank_name',
  to_rank_id: 'to_rank_name',
  skill_id: 'skill_name',
  grading_id: 'grading_name',
  account_id: 'account_name',
  actor_id: 'actor_name',
  subject_id: 'subject_name',
  changed_by: 'changed_by_name',
  created_by: 'created_by_name',
  checked_by: 'checked_by_name',
  approved_by: 'approved_by_name',
  recorded_by: 'recorded_by_name',
  person_id: 'person_name',
  closed_by: 'closed_by_name',
}

export async function readNames(tx: Tx): Promise<Map<string, string>> {
  const namedRows = [
    ...(await tx.select({ id: guardians.id, name: guardians.name }).from(guardians)),
    ...(await tx.select({ id: students.id, name: students.name }).from(students)),
    ...(await tx.select({ id: instructors.id, name: instructors.name }).from(instructors)),
    ...(await tx.select({ id: classes.id, name: classes.class_name }).from(classes)),
    ...(await tx.select({ id: styles.id, name: styles.name }).from(styles)),
    ...(await tx.select({ id: ladders.id, name: ladders.name }).from(ladders)),
    ...(await tx.select({ id: ranks.id, name: ranks.name }).from(ranks)),
    ...(await tx.select({ id: skills.id, name: skills.name }).from(skills)),
    ...(await tx.select({ id: gradings.id, name: gradings.name }).from(gradings)),
  ]
  return new Map(namedRows.map(({ id, name }) => [id, name]))
}

export const addNameColumns = (columns: readonly string[]): string[] =>
  columns.flatMap((column) => {
    const name = NAME_COLUMNS[column]
    return name && !columns.includes(name) ? [column, name] : [column]
  })

export async function* addNames(
  blocks: AsyncIterable<Row[]>,
  names: ReadonlyMap<string, string>,
): AsyncGenerator<CsvRow[]> {
  for await (const rows of blocks)
    yield rows.map((row) => {
      const rowNames: CsvRow = {}
      for (const [column, value] of Object.entries(row))
        if (column in NAME_COLUMNS) rowNames[NAME_COLUMNS[column]!] = names.get(String(value))
      return { ...rowNames, ...row } as CsvRow
    })
}
