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

/** Any text, including text with unpaired surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)
const formError = (message: string) => ({ '': message })

describe('singleLineText', () => {
  const title = singleLineText('Title', 20)

  test('trims the text, and refuses empty, long and non-text values', () => {
    expect(title.parse('  Kata night \n')).toBe('Kata night')
    for (const emptyValue of ['', '   ', '\n', undefined, null])
      expect(validationErrors(title, emptyValue)).toEqual(formError('Title is required'))
    expect(validationErrors(title, 'x'.repeat(21))).toEqual(
      formError('Title must be at most 20 characters'),
    )
    for (const invalidValue of [7, true, [], {}])
      expect(validationErrors(title, invalidValue)).toEqual(formError('Title is not valid'))
  })

  test('accepts any Unicode except control characters and unpaired surrogates', () => {
    expect(title.parse('空手 ‮ 👩🏽‍🎤')).toBe('空手 ‮ 👩🏽‍🎤')
    for (const control of ['a\u0000b', 'a\nb', 'a\u001bb', 'a\u001cb', 'a\u001fb', 'a\u0085b']) {
      expect(validationErrors(title, control)).toEqual(
        formError('Title must not contain control characters'),
      )
    }
    expect(validationErrors(title, 'a\ud83d')).toEqual(formError('Title is not valid'))
  })

  test('returns only trimmed and well-formed text', () => {
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

test('multiLineText keeps line breaks and refuses other control characters', () => {
  expect(multiLineText('Text').parse('Bow.\r\n\tThen begin.\n')).toBe('Bow.\r\n\tThen begin.')
  expect(validationErrors(multiLineText('Text'), 'a\u0000')).toEqual(
    formError('Text must not contain control characters'),
  )
})

describe('properName', () => {
  const name = properName('Name')

  test('accepts letters of any alphabet, combining marks and spaces', () => {
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

  test('refuses digits, symbols and emoji', () => {
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

describe('phone', () => {
  test('accepts only digits, +, -, spaces and parentheses', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789+- ()'), maxLength: 28 }),
        (moreCharacters) => {
          expect(validationErrors(phone('Phone number'), `5${moreCharacters}`)).toEqual({})
        },
      ),
    )
    for (const invalidValue of ['555-0100x', '555.0100', '٥٥٥', 'call me', '---']) {
      expect(validationErrors(phone('Phone number'), invalidValue)).toEqual(
        formError('Phone number may contain digits, +, -, spaces and parentheses only'),
      )
    }
  })
})

test('email accepts addresses and converts them to lower case', () => {
  expect(email().parse(' Ken.Adams+dojo@Example.COM ')).toBe('ken.adams+dojo@example.com')
  for (const invalidValue of [
    'ken',
    'ken@',
    '@example.com',
    'ken@example',
    'ken adams@example.com',
    'a@b@example.com',
  ]) {
    expect(validationErrors(email(), invalidValue)).toEqual(
      formError('Email must be a valid email address'),
    )
  }
  expect(validationErrors(email(), '')).toEqual(formError('Email is required'))
})

describe('calendarDate', () => {
  test('accepts only days that exist, from 1900 to 2199', () => {
    expect(calendarDate('Day').parse('2028-02-29')).toBe('2028-02-29')
    for (const invalidValue of [
      '2026-02-29',
      '2026-13-01',
      '2026-1-1',
      '01/02/2026',
      '2026-01-01T00:00:00Z',
    ]) {
      expect(validationErrors(calendarDate('Day'), invalidValue)).toEqual(
        formError('Day must be a date (YYYY-MM-DD)'),
      )
    }
    for (const emptyValue of ['', null, undefined])
      expect(validationErrors(calendarDate('Day'), emptyValue)).toEqual(
        formError('Day is required'),
      )
    for (const dateOutOfRange of ['1899-12-31', '2200-01-01'])
      expect(validationErrors(calendarDate('Day'), dateOutOfRange)).toEqual(
        formError('Day must be between 1900 and 2199'),
      )
  })

  test('accepts exactly the dates that isCalendarDate accepts', () => {
    const digits = (min: number, max: number) =>
      fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'))
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

  test('accepts any whole number of cents up to $1,000,000', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(fee.parse(cents / 100)).toBe(cents / 100)
        expect(Math.round(fee.parse(cents / 100) * 100)).toBe(cents)
      }),
    )
  })

  test('refuses fractions of a cent, negative amounts and more than $1,000,000', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (cents, tenth) => {
          expect(validationErrors(fee, (cents * 10 + tenth) / 1000)).toEqual(
            formError('Fee must have at most two decimal places'),
          )
        },
      ),
    )
    expect(validationErrors(fee, -0.01)).toEqual(formError('Fee must be 0 or more'))
    expect(validationErrors(fee, 1_000_000.01)).toEqual(formError('Fee must be at most 1,000,000'))
    for (const invalidValue of ['12', Number.NaN, Number.POSITIVE_INFINITY])
      expect(validationErrors(fee, invalidValue)).toEqual(formError('Fee is not valid'))
    expect(validationErrors(fee, undefined)).toEqual(formError('Fee is required'))
  })
})

test('clearable turns empty text into null and leaves a missing value undefined', () => {
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
