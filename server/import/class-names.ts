import { lettersOnly } from '@tatami/contract/classes'
import type { ImportForm, ImportPlan } from '@tatami/contract/import'
import { fold } from '@tatami/contract/import-values'
import { newId } from '../db/columns.ts'
import { invalid } from '../lib/refusal.ts'

const NUMBERS = 'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ')
const MAX_NAME = 100

/** What a class can be called that a sheet calls "Kids 1 (Mon)": letters and spaces only, "Kids One Mon". */
const nameOfClass = (written: string): string =>
  lettersOnly(
    written
      .replaceAll(/\d+/g, (digits) => ` ${NUMBERS[Number(digits)] ?? ''} `)
      .replaceAll(/[^\p{L}\p{M}\s]/gu, ' '),
  )
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim()

type DojoClass = { id: string; class_name: string }
export type ClassOfSheet = { id: string; class_name: string; isNew: boolean }

/** Which class each name of a sheet means: the one that was chosen, else the dojo's of that name, else a new one; null for none. 422 for a class of
 *  another dojo. */
export function classesByName(
  { classes: chosen = [], default_class_id }: ImportForm,
  known: readonly DojoClass[],
) {
  const byId = new Map(known.map((one) => [one.id, { ...one, isNew: false }]))
  const byName = new Map<string, ClassOfSheet>(
    known.toReversed().map((one) => [fold(one.class_name), byId.get(one.id)!]),
  )
  for (const { class_id } of [...chosen, { class_id: default_class_id }])
    if (class_id && !byId.has(class_id)) throw invalid('classes', 'Class is not valid')
  const choiceOf = new Map(chosen.map(({ name, class_id }) => [name, class_id]))
  const used = new Map<string, { found: ClassOfSheet | null; students: number }>()

  function find(written: string): ClassOfSheet | null {
    const choice = choiceOf.get(written)
    if (choice !== undefined) return choice === null ? null : byId.get(choice)!
    const class_name = nameOfClass(written)
    const found = byName.get(fold(written)) ?? byName.get(fold(class_name))
    if (found || class_name === '') return found ?? null
    const added = { id: newId(), class_name, isNew: true }
    byName.set(fold(class_name), added)
    return added
  }

  return {
    /** The classes of one student of the sheet, who is counted in them; a new one without any gets the default. */
    of: (written: string[], isNew: boolean): ClassOfSheet[] => {
      const found = written.flatMap((name) => {
        const seen = used.get(name) ?? { found: find(name), students: 0 }
        used.set(name, { ...seen, students: seen.students + 1 })
        return seen.found ?? []
      })
      const all =
        found.length === 0 && isNew && default_class_id ? [byId.get(default_class_id)!] : found
      return [...new Map(all.map((one) => [one.id, one])).values()]
    },
    added: (): ClassOfSheet[] => [
      ...new Map(
        [...used.values()].flatMap(({ found }) =>
          found?.isNew ? [[found.id, found] as const] : [],
        ),
      ).values(),
    ],
    inSheet: (): ImportPlan['classes_in_sheet'] =>
      [...used].map(([name, { found, students }]) => ({
        name,
        class_id: found && !found.isNew ? found.id : null,
        class_name: found?.class_name ?? null,
        students,
      })),
  }
}
