import type { ImportPlan } from '@tatami/contract/import/import-plan'
import type { ImportForm } from '@tatami/contract/import/import-form'
import { newId } from '../db/columns.ts'
import { invalid } from '../lib/refusal.ts'
import { spellOutName } from './spell-out.ts'

const MAX_NAME_LENGTH = 100
const ALPHABET_LENGTH = 26
/** The name of a new class whose name in the sheet has no letters or digits. */
const DEFAULT_CLASS_NAME = 'Class'

type DojoClass = { id: string; class_name: string }
export type SheetClass = { id: string; class_name: string; isNew: boolean }
type Choice = NonNullable<ImportForm['classes']>[number]

/** 1 is A, 26 is Z, and 27 is AA. */
function columnLetter(number: number): string {
  const index = number - 1
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % ALPHABET_LENGTH))
  return index < ALPHABET_LENGTH
    ? letter
    : columnLetter(Math.floor(index / ALPHABET_LENGTH)) + letter
}

const nameKey = (name: string) => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Finds the class that the instructor chose, or else the dojo's class of that name. A new class has
 * its digits spelled out, and a letter if the name is taken. 422 for another dojo's class.
 */
export function resolveClassNames(
  { classes: choices = [], default_class_id }: ImportForm,
  dojoClasses: readonly DojoClass[],
  names: Iterable<string>,
) {
  const dojoClassById = new Map(dojoClasses.map((row) => [row.id, { ...row, isNew: false }]))
  const classByClassName = new Map<string, SheetClass>()
  for (const dojoClass of dojoClassById.values())
    if (!classByClassName.has(nameKey(dojoClass.class_name)))
      classByClassName.set(nameKey(dojoClass.class_name), dojoClass)
  for (const { class_id } of [...choices, { class_id: default_class_id }])
    if (class_id && !dojoClassById.has(class_id)) throw invalid('classes', 'Class is not valid')
  const choiceByName = new Map(choices.map((choice) => [choice.name, choice]))
  const classBySheetName = new Map<string, SheetClass | null>()
  const classBySheetNameKey = new Map<string, SheetClass>()
  /** Classes that belong to a name. Another name shares one only if the instructor says so. */
  const assignedIds = new Set<string>()
  const studentCounts = new Map<string, number>()
  resolveAll([...new Set(names)])

  function resolveAll(sheetNames: string[]): void {
    const isUnresolved = (name: string) => !classBySheetName.has(name)
    for (const name of sheetNames) assignChosenClass(name, choiceByName.get(name))
    for (const name of sheetNames.filter(isUnresolved)) {
      const existingClass = classByClassName.get(nameKey(name))
      if (existingClass) assign(name, existingClass)
    }
    const newNames = sheetNames.filter(isUnresolved)
    // "Kids Teens" comes before "Kids/Teens", which would otherwise take its name.
    const isInLetters = (name: string) => nameKey(spellOutName(name)) === nameKey(name)
    for (const name of newNames.filter(isInLetters)) assign(name, classNamed(name.trim()))
    for (const name of newNames.filter((candidate) => !isInLetters(candidate)))
      assign(name, classBySheetNameKey.get(nameKey(name)) ?? newClassFor(name))
  }

  function assign(name: string, assignedClass: SheetClass | null): void {
    classBySheetName.set(name, assignedClass)
    if (!assignedClass) return
    classBySheetNameKey.set(nameKey(name), assignedClass)
    assignedIds.add(assignedClass.id)
  }

  function assignChosenClass(name: string, choice: Choice | undefined): void {
    if (choice?.class_name !== undefined) assign(name, classNamed(choice.class_name))
    else if (choice?.class_id === null) classBySheetName.set(name, null)
    else if (choice?.class_id)
      classBySheetName.set(name, dojoClassById.get(choice.class_id) ?? null)
  }

  function classNamed(class_name: string): SheetClass {
    const existingClass = classByClassName.get(nameKey(class_name))
    if (existingClass) return existingClass
    const newClass = { id: newId(), class_name, isNew: true }
    classByClassName.set(nameKey(class_name), newClass)
    return newClass
  }

  /** Creates a class for this name only. If the spelled-out name is taken, it gets a letter. */
  function newClassFor(name: string): SheetClass {
    const derivedName = spellOutName(name) || DEFAULT_CLASS_NAME
    let candidate = derivedName.slice(0, MAX_NAME_LENGTH).trim()
    for (let number = 2; isAssigned(candidate); number += 1) {
      const suffix = ` ${columnLetter(number)}`
      candidate = `${derivedName.slice(0, MAX_NAME_LENGTH - suffix.length).trim()}${suffix}`
    }
    return classNamed(candidate)
  }
  function isAssigned(class_name: string): boolean {
    const existingClass = classByClassName.get(nameKey(class_name))
    return existingClass !== undefined && assignedIds.has(existingClass.id)
  }

  return {
    /** A new student without a class gets the default one. */
    addStudent: (writtenNames: string[], { isNew }: { isNew: boolean }): SheetClass[] => {
      for (const name of writtenNames) studentCounts.set(name, (studentCounts.get(name) ?? 0) + 1)
      const namedClasses = writtenNames.flatMap((name) => classBySheetName.get(name) ?? [])
      const defaultClass = default_class_id ? dojoClassById.get(default_class_id) : undefined
      const withDefault =
        namedClasses.length === 0 && isNew && defaultClass ? [defaultClass] : namedClasses
      return [...new Map(withDefault.map((row) => [row.id, row])).values()]
    },
    newClasses: (): SheetClass[] =>
      [
        ...new Set([...studentCounts.keys()].flatMap((name) => classBySheetName.get(name) ?? [])),
      ].filter(({ isNew }) => isNew),
    listInSheet: (): ImportPlan['classes_in_sheet'] =>
      [...studentCounts].map(([name, count]) => {
        const sheetClass = classBySheetName.get(name) ?? null
        return {
          name,
          class_id: sheetClass && !sheetClass.isNew ? sheetClass.id : null,
          class_name: sheetClass?.class_name ?? null,
          students: count,
        }
      }),
  }
}
