import { expect, test } from 'vitest'
import { isUnavailable } from './database-errors.ts'

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [
    'a full disk',
    failed('53100', 'could not extend file "base/16384/2601": No space left on device'),
    true,
  ],
  [
    'a disk that fails',
    failed('58030', 'could not read blocks 0..0 in file "base/16384/2601": Input/output error'),
    true,
  ],
  [
    'a disk that only reads',
    failed('42501', 'could not create file "pg_snapshots/00000003": Read-only file system'),
    true,
  ],
  ['a right that is lacking', failed('42501', 'permission denied for table students'), false],
  [
    'a value that is too long',
    failed('22001', 'value too long for type character varying(20)'),
    false,
  ],
])('%s', (_, error, isAway) => {
  expect(isUnavailable(new Error('Failed query', { cause: error }))).toBe(isAway)
})
