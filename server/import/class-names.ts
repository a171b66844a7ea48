import type { ImportPlan } from '@tatami/contract/import/import-plan'
import type { ImportForm } from '@tatami/contract/import/import-form'
import { newId } from '../db/columns.ts'
import { invalid } from '../lib/refusal.ts'
import { spellOutName } from './spell-out.ts'

const MAX_NAME_LENGTH = 100
const ALPHABET_LENGTH = 26
/** Used if a name in the sheet has no letters or digits. */
const DEFAULT_CLASS_NAME = 'Class'

type DojoClass = { id: string; class_name: string }
/** A class that the dojo has or that the import will create. */
export type SheetClass = { id: string; class_name: string; isNew: boolean }
type ClassChoice = NonNullable<ImportForm['classes']>[number]

/** 1 is A, 26 is Z, and 27 is AA, as in the columns of a spreadsheet. */
function toLetters(number: number): string {
  const index = number - 1
  const lastLetter = String.fromCharCode('A'.charCodeAt(0) + (index % ALPHABET_LENGTH))
  return index < ALPHABET_LENGTH
    ? lastLetter
    : toLetters(Math.floor(index / ALPHABET_LENGTH)) + lastLetter
}

const nameKey = (name: string) => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Finds a class for each name in the sheet: the class that the instructor chose, or else the dojo's
 * class with that name, or else a new class. Class names may contain only letters and spaces, so
 * the digits in a new name are spelled out. If two names in the sheet become the same name, the
 * second class gets a letter. Throws 422 for another dojo's class.
 */
export function resolveClassNames(
  { classes: choices = [], default_class_id }: ImportForm,
  dojoClasses: readonly DojoClass[],
  namesInSheet: Iterable<string>,
) {
  const dojoClassById = new Map(dojoClasses.map((row) => [row.id, { ...row, isNew: false }]))
  const classByNameKey = new Map<string, SheetClass>()
  for (const dojoClass of dojoClassById.values()) {
    const key = nameKey(dojoClass.class_name)
    if (!classByNameKey.has(key)) classByNameKey.set(key, dojoClass)
  }
  for (const { class_id } of [...choices, { class_id: default_class_id }])
    if (class_id && !dojoClassById.has(class_id)) throw invalid('classes', 'Class is not valid')
  const choiceByName = new Map(choices.map((choice) => [choice.name, choice]))
  /** Null for a name that the instructor chose to ignore. */
  const classBySheetName = new Map<string, SheetClass | null>()
  const classBySheetNameKey = new Map<string, SheetClass>()
  /** The classes that names in the sheet already have. Two names get the same class only if the
   *  instructor says so. */
  const assignedIds = new Set<string>()
  const studentCountByName = new Map<string, number>()
  assignClasses([...new Set(namesInSheet)])

  function assignClasses(sheetNames: string[]): void {
    const isUnresolved = (name: string) => !classBySheetName.has(name)
    for (const name of sheetNames) assignChosenClass(name, choiceByName.get(name))
    for (const name of sheetNames.filter(isUnresolved)) {
      const existingClass = classByNameKey.get(nameKey(name))
      if (existingClass) assign(name, existingClass)
    }
    const newNames = sheetNames.filter(isUnresolved)
    const isAllowedName = (name: string) => nameKey(spellOutName(name)) === nameKey(name)
    // Allowed names go first: "Kids/Teens" is rewritten to "Kids Teens", and must not take the name
    // of a class that is called "Kids Teens" in the sheet.
    for (const name of newNames.filter(isAllowedName)) assign(name, findOrCreateClass(name.trim()))
    for (const name of newNames.filter((newName) => !isAllowedName(newName)))
      assign(name, classBySheetNameKey.get(nameKey(name)) ?? findOrCreateUnassigned(name))
  }

  function assign(name: string, assignedClass: SheetClass | null): void {
    classBySheetName.set(name, assignedClass)
    if (!assignedClass) return
    classBySheetNameKey.set(nameKey(name), assignedClass)
    assignedIds.add(assignedClass.id)
  }

  /** A choice with `class_id: null` ignores the name. Without a choice, the name stays
   *  unresolved. */
  function assignChosenClass(name: string, choice: ClassChoice | undefined): void {
    if (choice?.class_name !== undefined) assign(name, findOrCreateClass(choice.class_name))
    else if (choice?.class_id === null) classBySheetName.set(name, null)
    else if (choice?.class_id)
      classBySheetName.set(name, dojoClassById.get(choice.class_id) ?? null)
  }

  function findOrCreateClass(class_name: string): SheetClass {
    const existingClass = classByNameKey.get(nameKey(class_name))
    if (existingClass) return existingClass
    const newClass = { id: newId(), class_name, isNew: true }
    classByNameKey.set(nameKey(class_name), newClass)
    return newClass
  }

  /** Spells the name out, and adds a letter if another name in the sheet has that class. */
  function findOrCreateUnassigned(name: string): SheetClass {
    const allowedName = spellOutName(name) || DEFAULT_CLASS_NAME
    let candidate = allowedName.slice(0, MAX_NAME_LENGTH).trim()
    for (let number = 2; isAssigned(candidate); number += 1) {
      const suffix = ` ${toLetters(number)}`
      candidate = `${allowedName.slice(0, MAX_NAME_LENGTH - suffix.length).trim()}${suffix}`
    }
    return findOrCreateClass(candidate)
  }
  function isAssigned(class_name: string): boolean {
    const existingClass = classByNameKey.get(nameKey(class_name))
    return existingClass !== undefined && assignedIds.has(existingClass.id)
  }

  return {
    /** Counts the student for each name in the row, and returns the student's classes. A new
     *  student without classes gets the default class. */
    countStudent: (sheetNames: string[], { isNew }: { isNew: boolean }): SheetClass[] => {
      for (const name of sheetNames)
        studentCountByName.set(name, (studentCountByName.get(name) ?? 0) + 1)
      const namedClasses = sheetNames.flatMap((name) => classBySheetName.get(name) ?? [])
      const defaultClass = default_class_id ? dojoClassById.get(default_class_id) : undefined
      const classesOfStudent =
        namedClasses.length === 0 && isNew && defaultClass ? [defaultClass] : namedClasses
      return [...new Map(classesOfStudent.map((row) => [row.id, row])).values()]
    },
    listNewClasses: (): SheetClass[] => {
      const usedNames = [...studentCountByName.keys()]
      const usedClasses = new Set(usedNames.flatMap((name) => classBySheetName.get(name) ?? []))
      return [...usedClasses].filter(({ isNew }) => isNew)
    },
    listSheetNames: (): ImportPlan['classes_in_sheet'] =>
      [...studentCountByName].map(([name, count]) => {
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
