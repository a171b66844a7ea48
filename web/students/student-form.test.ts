import { studentUpdate } from '@tatami/contract/students/student-form'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import {
  EMPTY_STUDENT_FORM,
  formForNextStudent,
  studentToForm,
  toUpdateBody,
} from './student-form.ts'

const student = (fields: object) =>
  ({
    name: 'Leo',
    class_preferences: ['kids', 'saturday'],
    enrolled_classes: [],
    ...fields,
  }) as unknown as Student & {
    awaits_approval: boolean
  }

test('a student who awaits approval has the classes that they chose in the form', () => {
  const leo = student({ awaits_approval: true })
  expect(studentToForm(leo).class_preferences).toEqual(['kids', 'saturday'])
  expect(toUpdateBody(studentToForm(leo), leo)).toMatchObject({
    class_preferences: ['kids', 'saturday'],
    enrolled_classes: [],
  })
})

test('an enrolled student has their own classes in the form', () => {
  const leo = student({ awaits_approval: false, enrolled_classes: ['teens'] })
  expect(studentToForm(leo).class_preferences).toEqual(['teens', 'saturday'])
  expect(toUpdateBody(studentToForm(leo), leo)).toMatchObject({ enrolled_classes: ['teens'] })
})

test('the next student is of nobody’s family unless asked for', () => {
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

test('the form sends every field that a student update takes', () => {
  const leo = student({ awaits_approval: false })
  const sentFields = Object.keys(toUpdateBody(studentToForm(leo), leo))
  const acceptedFields = Object.keys(studentUpdate.shape)
  expect(acceptedFields.filter((field) => !sentFields.includes(field))).toEqual([])
})

test('every field that a student update takes has an input', async () => {
  const screens = import.meta.glob('./*.tsx', { query: '?raw', import: 'default', eager: true })
  const source = Object.values(screens).join('\n')
  const elsewhere = ['enrolled_classes', 'rank_id']
  const fields = Object.keys(studentUpdate.shape).filter((field) => !elsewhere.includes(field))
  expect(fields.filter((field) => !source.includes(`'${field}'`))).toEqual([])
})
