import type { ImportPlan } from '@tatami/contract/import/import-plan'
import type { ImportForm } from '@tatami/contract/import/import-form'
import { newId } from '../db/columns.ts'
import { invalid } from '../lib/refusal.ts'
import { inLetters } from './letter-names.ts'

const MAX_NAME = 100
/** The name of a class without letters and digits. */
const NAMELESS = 'Class'

type DojoClass = { id: string; class_name: string }
export type ClassOfSheet = { id: string; class_name: string; isNew: boolean }
type Choice = NonNullable<ImportForm['classes']>[number]

/** B, C … Z, AA. A number in words would read as part of the name. */
function letterOf(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26))
  return number <= 26 ? letter : letterOf(Math.floor((number - 1) / 26)) + letter
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Which class each name of a sheet means: the chosen one, else the dojo's of that name, else a new
 * one, whose name has letters only. Two names that differ in a digit or sign are two classes; if
 * they would be called the same, the second gets a letter. 422 for a class of another dojo.
 */
export function classesByName(
  { classes: choices = [], default_class_id }: ImportForm,
  dojoClasses: readonly DojoClass[],
  names: Iterable<string>,
) {
  const byId = new Map(dojoClasses.map((row) => [row.id, { ...row, isNew: false }]))
  const byName = new Map<string, ClassOfSheet>()
  for (const dojoClass of byId.values())
    if (!byName.has(keyOf(dojoClass.class_name))) byName.set(keyOf(dojoClass.class_name), dojoClass)
  for (const { class_id } of [...choices, { class_id: default_class_id }])
    if (class_id && !byId.has(class_id)) throw invalid('classes', 'Class is not valid')
  const choiceByName = new Map(choices.map((choice) => [choice.name, choice]))
  const classOf = new Map<string, ClassOfSheet | null>()
  const classByWriting = new Map<string, ClassOfSheet>()
  /** Classes that a name means already; other names mean them only if chosen. */
  const meantIds = new Set<string>()
  const students = new Map<string, number>()
  resolveAll(new Set(names))

  function resolveAll(writtenNames: Set<string>): void {
    const chosenNames = [...writtenNames].filter((name) =>
      resolveChoice(name, choiceByName.get(name)),
    )
    const ofDojo = [...writtenNames].filter((name) => byName.has(keyOf(name)) && !classOf.has(name))
    for (const name of ofDojo) means(name, byName.get(keyOf(name)) ?? null)
    const resolvedNames = new Set([...chosenNames, ...ofDojo])
    const open = [...writtenNames].filter((name) => !resolvedNames.has(name))
    // "Kids Teens" goes before "Kids/Teens", which becomes the same.
    const isInLetters = (name: string) => keyOf(inLetters(name)) === keyOf(name)
    for (const name of open.filter(isInLetters)) means(name, classNamed(name.trim()))
    for (const name of open.filter((candidate) => !isInLetters(candidate)))
      means(name, classByWriting.get(keyOf(name)) ?? ownClass(name))
  }

  function means(name: string, meantClass: ClassOfSheet | null): void {
    classOf.set(name, meantClass)
    if (!meantClass) return
    classByWriting.set(keyOf(name), meantClass)
    meantIds.add(meantClass.id)
  }

  function resolveChoice(name: string, choice: Choice | undefined): boolean {
    if (choice?.class_name !== undefined) means(name, classNamed(choice.class_name))
    else if (choice?.class_id !== undefined)
      classOf.set(name, choice.class_id === null ? null : (byId.get(choice.class_id) ?? null))
    return classOf.has(name)
  }

  function classNamed(class_name: string): ClassOfSheet {
    const existing = byName.get(keyOf(class_name))
    if (existing) return existing
    const newClass = { id: newId(), class_name, isNew: true }
    byName.set(keyOf(class_name), newClass)
    return newClass
  }

  /** A class for this name alone: its name in letters, with another letter if that is taken. */
  function ownClass(name: string): ClassOfSheet {
    const derivedName = inLetters(name) || NAMELESS
    let candidate = derivedName.slice(0, MAX_NAME).trim()
    for (let number = 2; isMeant(candidate); number += 1) {
      const suffix = ` ${letterOf(number)}`
      candidate = `${derivedName.slice(0, MAX_NAME - suffix.length).trim()}${suffix}`
    }
    return classNamed(candidate)
  }
  function isMeant(class_name: string): boolean {
    const existing = byName.get(keyOf(class_name))
    return existing !== undefined && meantIds.has(existing.id)
  }

  return {
    /** Counts the student in the classes. A new student without any gets the default. */
    of: (writtenNames: string[], isNew: boolean): ClassOfSheet[] => {
      for (const name of writtenNames) students.set(name, (students.get(name) ?? 0) + 1)
      const meantClasses = writtenNames.flatMap((name) => classOf.get(name) ?? [])
      const defaultClass = default_class_id ? byId.get(default_class_id) : undefined
      const withDefault =
        meantClasses.length === 0 && isNew && defaultClass ? [defaultClass] : meantClasses
      return [...new Map(withDefault.map((row) => [row.id, row])).values()]
    },
    added: (): ClassOfSheet[] =>
      [...new Set([...students.keys()].flatMap((name) => classOf.get(name) ?? []))].filter(
        ({ isNew }) => isNew,
      ),
    inSheet: (): ImportPlan['classes_in_sheet'] =>
      [...students].map(([name, count]) => {
        const meantClass = classOf.get(name) ?? null
        return {
          name,
          class_id: meantClass && !meantClass.isNew ? meantClass.id : null,
          class_name: meantClass?.class_name ?? null,
          students: count,
        }
      }),
  }
}
