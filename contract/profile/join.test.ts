import { describe, expect, test } from 'vitest'
import { fullGuardianJoinForm, fullJoinForm, joinForm } from './join.ts'
import { validationErrors } from '../test/validation-errors.ts'

const TODAY = '2027-03-02'

test('requires name, email and password of an invited student', () => {
  expect(validationErrors(joinForm, {})).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    password: 'Password is required',
    invite_code: 'Invitation is required',
  })
})

describe('the join page of a student', () => {
  const filledForm = {
    name: 'Mia Chen',
    email: 'mia@home.org',
    password: 'Kiai2026!',
    invite_code: 'abc',
  }
  const childForm = {
    ...filledForm,
    date_of_birth: '2009-03-03',
    guardian: { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' },
  }
  const findErrors = (form: object, { offersClasses = false } = {}) =>
    validationErrors(fullJoinForm(TODAY, offersClasses), form)

  test('asks an adult for a phone and an emergency contact', () => {
    expect(findErrors({ ...filledForm, date_of_birth: '2009-03-02' })).toEqual({
      phone_number: 'Phone number is required',
      emergency_contact_name: 'Emergency contact name is required',
      emergency_contact_phone: 'Emergency contact phone is required',
    })
  })

  test('asks for a guardian until the day before the 18th birthday', () => {
    expect(findErrors({ ...filledForm, date_of_birth: '2009-03-03' })).toEqual({
      'guardian.name': 'Name is required',
      'guardian.phone': 'Phone number is required',
      'guardian.relation': 'Relation is required',
    })
    expect(findErrors(childForm)).toEqual({})
  })

  test('reports all missing fields together, and a missing class if classes are offered', () => {
    expect(findErrors({}, { offersClasses: true })).toMatchObject({
      name: 'Name is required',
      email: 'Email is required',
      date_of_birth: 'Date of birth is required',
      class_preferences: 'Choose at least one class',
    })
    expect(findErrors({ ...childForm, date_of_birth: '2027-03-03' })).toMatchObject({
      date_of_birth: 'Date of birth must not be after today',
    })
  })

  test('refuses a login for a child under 13', () => {
    expect(findErrors({ ...childForm, date_of_birth: '2014-03-03' })).toEqual({
      date_of_birth: 'Children under 13 need a parent or guardian to sign them up',
    })
    expect(findErrors({ ...childForm, date_of_birth: '2014-03-02' })).toEqual({})
  })
})

describe('the join page of a guardian', () => {
  const leo = { name: 'Leo Diaz', date_of_birth: '2017-05-04' }
  const filledForm = {
    guardian: { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' },
    children: [leo],
    email: 'rosa@home.org',
    password: 'Kiai2026!',
    invite_code: 'abc',
  }
  const findErrors = (form: object, { offersClasses = false } = {}) =>
    validationErrors(fullGuardianJoinForm(TODAY, offersClasses), form)

  test('reports the missing fields of all children together', () => {
    expect(findErrors(filledForm)).toEqual({})
    const emptyForm = { invite_code: 'abc', guardian: {}, children: [leo, {}] }
    expect(findErrors(emptyForm, { offersClasses: true })).toEqual({
      'guardian.name': 'Name is required',
      'guardian.phone': 'Phone number is required',
      'guardian.relation': 'Relation is required',
      'children.0.class_preferences': 'Choose at least one class',
      'children.1.name': 'Name is required',
      'children.1.date_of_birth': 'Date of birth is required',
      'children.1.class_preferences': 'Choose at least one class',
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  test('accepts only children under 18', () => {
    const adult = { ...leo, date_of_birth: '2009-03-02' }
    const unborn = { ...leo, date_of_birth: '2027-03-03' }
    expect(findErrors({ ...filledForm, children: [leo, adult, unborn] })).toEqual({
      'children.1.date_of_birth': 'Students 18 and older need their own account',
      'children.2.date_of_birth': 'Date of birth must not be after today',
    })
    const almostAdult = { ...leo, date_of_birth: '2009-03-03' }
    expect(findErrors({ ...filledForm, children: [almostAdult] })).toEqual({})
  })
})
