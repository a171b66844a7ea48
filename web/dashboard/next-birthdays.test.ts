import { expect, test } from 'vitest'
import { findNextBirthdays } from './next-birthdays.ts'

const createBirthday = (student_name: string, date_of_birth: string) => ({
  student_id: student_name,
  student_name,
  date_of_birth,
})
const BIRTHDAYS = [
  createBirthday('Ken', '2015-03-04'),
  createBirthday('Ann', '2015-11-26'),
  createBirthday('Mia', '2010-12-01'),
]

test('finds the next birthdays after today, including next year’s', () => {
  const dates = findNextBirthdays(BIRTHDAYS, '2026-11-26', 2).map(
    ({ student_name, celebrated_on }) => `${student_name} ${celebrated_on}`,
  )
  expect(dates).toEqual(['Mia 2026-12-01', 'Ken 2027-03-04'])
})

test('moves a birthday on February 29 to February 28 if the year is not a leap year', () => {
  const [birthday] = findNextBirthdays([createBirthday('Leo', '2016-02-29')], '2026-11-26', 1)
  expect(birthday?.celebrated_on).toBe('2027-02-28')
})
