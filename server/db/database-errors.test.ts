import { expect, test } from 'vitest'
import { isUnavailable } from './database-errors.ts'

const createDatabaseError = (code: string, message: string) =>
  Object.assign(new Error(message), { code })

test.each([
  [
    'a full disk',
    createDatabaseError(
      '53100',
      'could not extend file "base/16384/2601": No space left on device',
    ),
    true,
  ],
  [
    'a failing disk',
    createDatabaseError(
      '58030',
      'could not read blocks 0..0 in file "base/16384/2601": Input/output error',
    ),
    true,
  ],
  [
    'a read-only disk',
    createDatabaseError(
      '42501',
      'could not create file "pg_snapshots/00000003": Read-only file system',
    ),
    true,
  ],
  [
    'a missing privilege',
    createDatabaseError('42501', 'permission denied for table students'),
    false,
  ],
  [
    'a value that is too long',
    createDatabaseError('22001', 'value too long for type character varying(20)'),
    false,
  ],
])('recognizes whether %s makes the database unavailable', (_, error, expectedResult) => {
  expect(isUnavailable(new Error('Failed query', { cause: error }))).toBe(expectedResult)
})
