import { studentUpdate } from '@tatami/contract/students/student-form'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import {
  EMPTY_STUDENT_FORM,
  createNextForm,
  toGuardianFields,
  studentToForm,
  toCreateBody,
  toUpdateBody,
} from './student-form.ts'

const createStudent = (fields: object) =>
  ({
    name: 'Leo',
    // 'saturday' is a fallback class. Students cannot be enrolled in it.
    class_preferences: ['kids', 'saturday'],
    enrolled_classes: [],
    ...fields,
  }) as unknown as Student & { awaits_approval: boolean }

test('selects the requested classes until the student is approved', () => {
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

const ROSA = { id: 'rosa', name: 'Rosa Diaz', phone: '512 555 0177', email: null }

test('keeps the guardian for the next student only if it is a sibling', () => {
  const previousForm = {
    ...EMPTY_STUDENT_FORM,
    name: 'Leo',
    is_child: true,
    guardian_id: 'rosa',
    class_preferences: ['kids'],
  }
  expect(createNextForm(previousForm)).toEqual({
    ...EMPTY_STUDENT_FORM,
    is_child: true,
    class_preferences: ['kids'],
  })
  expect(createNextForm(previousForm, ROSA)).toMatchObject({
    name: '',
    is_child: true,
    guardian_id: 'rosa',
    guardian: { name: 'Rosa Diaz', phone: '512 555 0177', email: '' },
    guardian_is_emergency_contact: true,
  })
})

test('asks for an emergency contact if the selected guardian has no phone', () => {
  expect(toGuardianFields({ ...ROSA, phone: null })).toMatchObject({
    guardian_is_emergency_contact: false,
  })
})

test('leaves out the login of a child, and an emergency contact who is the guardian', () => {
  const form = {
    ...EMPTY_STUDENT_FORM,
    is_child: true,
    email: 'leo@example.com',
    password: 'white-belt',
    emergency_contact_name: 'Ann Adams',
  }
  const { guardian } = form
  expect(toCreateBody(form)).toMatchObject({ guardian, email: undefined })
  expect(toCreateBody(form)).not.toHaveProperty('password')
  expect(toCreateBody(form).emergency_contact_name).toBeUndefined()
  expect(toCreateBody({ ...form, guardian_is_emergency_contact: false })).toMatchObject({
    emergency_contact_name: 'Ann Adams',
  })
  expect(toCreateBody({ ...form, ...toGuardianFields(ROSA) })).toMatchObject({
    guardian_ids: ['rosa'],
  })
})

test('sends no consent if the form has no new phone', () => {
  const text_consent = { is_given: true, given_by: 'Rosa Diaz' }
  const form = { ...EMPTY_STUDENT_FORM, is_child: true, text_consent }
  expect(toCreateBody(form)).toHaveProperty('text_consent')
  const sibling = { ...form, ...toGuardianFields(ROSA) }
  expect(toCreateBody(sibling)).not.toHaveProperty('text_consent')
  expect(toCreateBody({ ...sibling, phone_number: '512 555 0178' })).toHaveProperty('text_consent')
})

test('requires no fee during a trial, but requires one when the trial ends', () => {
  const form = { ...EMPTY_STUDENT_FORM, is_trial: true }
  expect(toCreateBody(form).monthly_payment_amount).toBe(0)
  expect(toCreateBody({ ...form, is_trial: false }).monthly_payment_amount).toBeUndefined()
  const leo = createStudent({ is_trial: true, monthly_payment_amount: 0, awaits_approval: false })
  expect(studentToForm(leo).monthly_payment_amount).toBe('')
})

test('sends every field of a student update', () => {
  const leo = createStudent({ awaits_approval: false })
  const sentFields = Object.keys(toUpdateBody(studentToForm(leo), leo))
  const acceptedFields = Object.keys(studentUpdate.shape)
  expect(acceptedFields.filter((field) => !sentFields.includes(field))).toEqual([])
})

test('has an input for every field of a student update', async () => {
  const screens = import.meta.glob('./*.tsx', { query: '?raw', import: 'default', eager: true })
  const source = Object.values(screens).join('\n')
  // The classes selected in `class_preferences` are sent as `enrolled_classes`.
  const fields = Object.keys(studentUpdate.shape).filter((field) => field !== 'enrolled_classes')
  expect(fields.filter((field) => !source.includes(`'${field}'`))).toEqual([])
})
