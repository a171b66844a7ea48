import { studentUpdate } from '@tatami/contract/students/student-form'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import {
  EMPTY_STUDENT_FORM,
  formForNextStudent,
  studentToForm,
  toUpdateBody,
} from './student-form.ts'

const createStudent = (fields: object) =>
  ({
    name: 'Leo',
    // 'saturday' is a fallback class, in which no student can be enrolled.
    class_preferences: ['kids', 'saturday'],
    enrolled_classes: [],
    ...fields,
  }) as unknown as Student & { awaits_approval: boolean }

test('selects the classes that a student asked for until they are approved', () => {
  const leo = createStudent({ awaits_approval: true })
  expect(studentToForm(leo).class_preferences).toEqual(['kids', 'saturday'])
  expect(toUpdateBody(studentToForm(leo), leo)).toMatchObject({
    class_preferences: ['kids', 'saturday'],
    enrolled_classes: [],
  })
})

test('selects the classes of an enrolled student, and preferred fallback classes', () => {
  const leo = createStudent({ awaits_approval: false, enrolled_classes: ['teens'] })
  expect(studentToForm(leo).class_preferences).toEqual(['teens', 'saturday'])
  expect(toUpdateBody(studentToForm(leo), leo)).toMatchObject({ enrolled_classes: ['teens'] })
})

test('keeps the family for the next student only if it is a sibling', () => {
  const previousForm = {
    ...EMPTY_STUDENT_FORM,
    name: 'Leo',
    is_in_family: true,
    guardian_id: 'rosa',
    class_preferences: ['kids'],
  }
  expect(formForNextStudent(previousForm)).toEqual({
    ...EMPTY_STUDENT_FORM,
    class_preferences: ['kids'],
  })
  expect(formForNextStudent(previousForm, 'rosa')).toMatchObject({
    name: '',
    is_in_family: true,
    guardian_id: 'rosa',
  })
})

test('sends every field that a student update accepts', () => {
  const leo = createStudent({ awaits_approval: false })
  const sentFields = Object.keys(toUpdateBody(studentToForm(leo), leo))
  const acceptedFields = Object.keys(studentUpdate.shape)
  expect(acceptedFields.filter((field) => !sentFields.includes(field))).toEqual([])
})

test('has an input for every field that a student update accepts', async () => {
  const screens = import.meta.glob('./*.tsx', { query: '?raw', import: 'default', eager: true })
  const source = Object.values(screens).join('\n')
  // The classes selected in `class_preferences` are sent as `enrolled_classes`.
  const fields = Object.keys(studentUpdate.shape).filter((field) => field !== 'enrolled_classes')
  expect(fields.filter((field) => !source.includes(`'${field}'`))).toEqual([])
})
