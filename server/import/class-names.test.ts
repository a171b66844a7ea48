import { LETTERS_AND_SPACES } from '@tatami/contract/lib/fields'
import { expect, test } from 'vitest'
import { resolveClassNames } from './class-names.ts'
import { spellOutName, spellOutNumber } from './spell-out.ts'

const form = { columns: ['classes' as const], rows: [['']], default_class_id: undefined }
const resolveNames = (
  sheetNames: string[],
  dojoClasses: { id: string; class_name: string }[] = [],
) => {
  const classes = resolveClassNames(form, dojoClasses, sheetNames)
  for (const name of sheetNames) classes.countStudent([name], { isNew: true })
  return classes.listSheetNames().map(({ class_name }) => class_name)
}

test.each([
  ['Under 14', 'Under Fourteen'],
  ['U13', 'U Thirteen'],
  ['Mon 17:00', 'Mon Five PM'],
  ['Mon 5:00', 'Mon Five'],
  ['Karate 101', 'Karate One Hundred One'],
  ['2pm', 'Two PM'],
  ['2:30 p.m.', 'Two Thirty PM'],
  ['Sat 9:05am', 'Sat Nine Oh Five AM'],
  ['00:30', 'Twelve Thirty AM'],
  ['Ages 5-7', 'Ages Five to Seven'],
  ['1st & 2nd grade', 'First and Second grade'],
  ['21st Century', 'Twenty First Century'],
  ['Kids+', 'Kids Plus'],
  ['#1', 'Number One'],
  ['007', 'Zero Zero Seven'],
  ['Level 1.5', 'Level One Point Five'],
  ["Women's 2", 'Womens Two'],
  ['Level ½', 'Level One Half'],
  ['Kids １', 'Kids One'],
  ['***', ''],
])('spells out %s as %s', (sheetName, name) => {
  expect(spellOutName(sheetName)).toBe(name)
})

test('spells out each number differently', () => {
  const words = Array.from({ length: 3000 }, (_, number) => spellOutNumber(String(number)))
  expect(new Set(words).size).toBe(3000)
  expect(words.every((word) => LETTERS_AND_SPACES.test(word))).toBe(true)
  expect(spellOutNumber('1234567')).toBe('One Two Three Four Five Six Seven')
})

test('keeps classes separate if their names differ in digits or signs', () => {
  const sheetNames =
    'Kids 1/Kids-1/Kids 1+/Kids (1)/Kids/KIDS/kids!/Kids/U13/U 13/Under 14/Under 16'
  const names = resolveNames(sheetNames.split('/'))
  expect(names).toEqual([
    'Kids One',
    'Kids One B',
    'Kids One Plus',
    'Kids One C',
    'Kids',
    'Kids',
    'kids B',
    'U Thirteen',
    'U Thirteen B',
    'Under Fourteen',
    'Under Sixteen',
  ])
  expect(resolveNames(['Kids/Teens', 'Kids Teens', '!', '?'])).toEqual([
    'Kids Teens B',
    'Kids Teens',
    'Class',
    'Class B',
  ])
})

test('finds the same classes when the sheet is imported again', () => {
  const sheetNames = ['Kids/Teens', 'Kids-Teens', 'Under 14', 'Mon 17:00']
  const classes = resolveClassNames(form, [], sheetNames)
  for (const name of sheetNames) classes.countStudent([name], { isNew: true })
  const dojoClasses = classes.listNewClasses().map(({ id, class_name }) => ({ id, class_name }))
  expect(dojoClasses).toHaveLength(4)
  const secondClasses = resolveClassNames(form, dojoClasses, sheetNames)
  for (const name of sheetNames) secondClasses.countStudent([name], { isNew: true })
  expect(secondClasses.listNewClasses()).toEqual([])
  expect(secondClasses.listSheetNames().map(({ class_id }) => class_id)).toEqual(
    dojoClasses.map(({ id }) => id),
  )
})

test('prefers the dojo’s class with exactly the same name', () => {
  const dojoClasses = [
    { id: 'a', class_name: 'Kids Teens' },
    { id: 'b', class_name: 'Kids/Teens' },
  ]
  expect(resolveNames(['Kids-Teens', 'Kids/Teens'], dojoClasses)).toEqual([
    'Kids Teens',
    'Kids/Teens',
  ])
})

test('creates a class with the chosen name, or finds the class that has the name', () => {
  const classes = resolveClassNames(
    {
      ...form,
      classes: [
        { name: 'U13', class_name: 'Juniors' },
        { name: 'U15', class_name: 'juniors' },
        { name: 'U17', class_name: 'Teens' },
      ],
    },
    [{ id: 'teens', class_name: 'Teens' }],
    ['U13', 'U15', 'U17'],
  )
  for (const name of ['U13', 'U15', 'U17']) classes.countStudent([name], { isNew: true })
  expect(classes.listNewClasses().map(({ class_name }) => class_name)).toEqual(['Juniors'])
  expect(classes.listSheetNames().map(({ class_id }) => class_id)).toEqual([null, null, 'teens'])
})

test('keeps long names with the same beginning separate', () => {
  const longPrefix = 'x'.repeat(99)
  const names = resolveNames([`${longPrefix} 1`, `${longPrefix} 2`, `${longPrefix}y3`])
  expect(new Set(names).size).toBe(3)
  expect(names.every((name) => name !== null && name.length <= 100)).toBe(true)
})

test('keeps eleven classes of one school separate', () => {
  const sheetNames =
    'Under 14;Under 16;Under 18;U13;U15;Mon 17:00;Mon 18:00;Karate 101;Karate 102;2pm;2:30pm'
  const names = resolveNames(sheetNames.split(';'))
  expect(names).toEqual([
    'Under Fourteen',
    'Under Sixteen',
    'Under Eighteen',
    'U Thirteen',
    'U Fifteen',
    'Mon Five PM',
    'Mon Six PM',
    'Karate One Hundred One',
    'Karate One Hundred Two',
    'Two PM',
    'Two Thirty PM',
  ])
})
