import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  calendarDate,
  isCalendarDate,
  dollars,
  email,
  properName,
  singleLineText,
  clearable,
  multiLineText,
  phone,
} from './fields.ts'
import { validationErrors } from '../test/validation-errors.ts'

/** Includes halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)
const formError = (sentence: string) => ({ '': sentence })

describe('a line of text', () => {
  const title = singleLineText('Title', 20)

  test('is trimmed, must say something and has an end', () => {
    expect(title.parse('  Kata night \n')).toBe('Kata night')
    for (const emptyValue of ['', '   ', '\n', undefined, null])
      expect(validationErrors(title, emptyValue)).toEqual(formError('Title is required'))
    expect(validationErrors(title, 'x'.repeat(21))).toEqual(
      formError('Title must be at most 20 characters'),
    )
    for (const odd of [7, true, [], {}])
      expect(validationErrors(title, odd)).toEqual(formError('Title is not valid'))
  })

  test('holds any Unicode but control characters and broken pairs', () => {
    expect(title.parse('空手 ‮ 👩🏽‍🎤')).toBe('空手 ‮ 👩🏽‍🎤')
    for (const control of ['a\u0000b', 'a\nb', 'a\u001bb', 'a\u001cb', 'a\u001fb', 'a\u0085b']) {
      expect(validationErrors(title, control)).toEqual(
        formError('Title must not contain control characters'),
      )
    }
    expect(validationErrors(title, 'a\ud83d')).toEqual(formError('Title is not valid'))
  })

  test('whatever is taken can be stored', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleanTitle = title.safeParse(text).data
        if (cleanTitle === undefined) return
        expect(cleanTitle).toBe(cleanTitle.trim())
        expect(cleanTitle).toMatch(/^\P{Cc}{1,20}$/u)
        expect(cleanTitle.isWellFormed()).toBe(true)
      }),
    )
  })
})

test('a paragraph keeps its line breaks and refuses other control characters', () => {
  expect(multiLineText('Text').parse('Bow.\r\n\tThen begin.\n')).toBe('Bow.\r\n\tThen begin.')
  expect(validationErrors(multiLineText('Text'), 'a\u0000')).toEqual(
    formError('Text must not contain control characters'),
  )
})

describe('a proper name', () => {
  const name = properName('Name')

  test('has letters of any alphabet, marks included, and spaces', () => {
    for (const validName of [
      'Ken Adams',
      'Zoë',
      'Nguyễn Thị Ánh',
      '山田 太郎',
      'अनिता',
      'Ольга',
      'عمر',
    ])
      expect(name.parse(validName)).toBe(validName)
  })

  test('nothing else gets in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'É', ' ') }),
        fc.constantFrom(...'0٣_,!@<>&/😀'),
        (letters, symbol) => {
          expect(validationErrors(name, `a${letters}${symbol}${letters}z`)).toEqual(
            formError('Name may contain letters and spaces only'),
          )
        },
      ),
    )
  })
})

describe('a phone number', () => {
  test('may have digits, +, -, spaces and parentheses', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789+- ()'), maxLength: 28 }),
        (extension) => {
          expect(validationErrors(phone('Phone number'), `5${extension}`)).toEqual({})
        },
      ),
    )
    for (const odd of ['555-0100x', '555.0100', '٥٥٥', 'call me', '---']) {
      expect(validationErrors(phone('Phone number'), odd)).toEqual(
        formError('Phone number may contain digits, +, -, spaces and parentheses only'),
      )
    }
  })
})

test('an e-mail address is kept in lower case', () => {
  expect(email().parse(' Ken.Adams+dojo@Example.COM ')).toBe('ken.adams+dojo@example.com')
  for (const odd of [
    'ken',
    'ken@',
    '@example.com',
    'ken@example',
    'ken adams@example.com',
    'a@b@example.com',
  ]) {
    expect(validationErrors(email(), odd)).toEqual(formError('Email must be a valid email address'))
  }
  expect(validationErrors(email(), '')).toEqual(formError('Email is required'))
})

describe('a calendar date', () => {
  test('is a day that exists', () => {
    expect(calendarDate('Day').parse('2028-02-29')).toBe('2028-02-29')
    for (const odd of [
      '2026-02-29',
      '2026-13-01',
      '2026-1-1',
      '01/02/2026',
      '2026-01-01T00:00:00Z',
    ]) {
      expect(validationErrors(calendarDate('Day'), odd)).toEqual(
        formError('Day must be a date (YYYY-MM-DD)'),
      )
    }
    for (const emptyValue of ['', null, undefined])
      expect(validationErrors(calendarDate('Day'), emptyValue)).toEqual(
        formError('Day is required'),
      )
    for (const far of ['1899-12-31', '2200-01-01'])
      expect(validationErrors(calendarDate('Day'), far)).toEqual(
        formError('Day must be between 1900 and 2199'),
      )
  })

  test('isCalendarDate agrees with it on every text', () => {
    const digits = (min: number, max: number) =>
      fc.integer({ min, max }).map((part) => String(part).padStart(2, '0'))
    const dates = fc
      .tuple(digits(1890, 2210), digits(0, 13), digits(0, 32))
      .map((parts) => parts.join('-'))
    fc.assert(
      fc.property(
        fc.oneof(
          dates,
          anyText,
          fc.constantFrom('2028-02-29', '2026-02-29', '2026-1-1', '20260-01-01', ''),
        ),
        (text) => {
          expect(isCalendarDate(text)).toBe(calendarDate('Day').safeParse(text).success)
        },
      ),
    )
  })
})

describe('dollars', () => {
  const fee = dollars('Fee')

  test('any whole number of cents up to a million dollars is taken as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(fee.parse(cents / 100)).toBe(cents / 100)
        expect(Math.round(fee.parse(cents / 100) * 100)).toBe(cents)
      }),
    )
  })

  test('a part of a cent, less than nothing and too much are refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (cents, tenth) => {
          expect(validationErrors(fee, (cents * 10 + tenth) / 1000)).toEqual(
            formError('Fee must have at most two decimals'),
          )
        },
      ),
    )
    expect(validationErrors(fee, -0.01)).toEqual(formError('Fee must be 0 or more'))
    expect(validationErrors(fee, 1_000_000.01)).toEqual(formError('Fee must be at most 1,000,000'))
    for (const odd of ['12', Number.NaN, Number.POSITIVE_INFINITY])
      expect(validationErrors(fee, odd)).toEqual(formError('Fee is not valid'))
    expect(validationErrors(fee, undefined)).toEqual(formError('Fee is required'))
  })
})

test('what may be left out is cleared by the empty text, and left alone when it is not there', () => {
  const note = clearable(singleLineText('Note', 10))
  expect([note.parse(''), note.parse(null), note.parse(undefined), note.parse('cash')]).toEqual([
    null,
    null,
    undefined,
    'cash',
  ])
  expect(validationErrors(note, 'far too long')).toEqual(
    formError('Note must be at most 10 characters'),
  )
})
