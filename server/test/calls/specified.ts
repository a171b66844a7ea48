import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One call of the specification's table (section 7), and the fields named for it. */
type SpecifiedCall = {
  call: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  fieldNames: string[]
}

/** Section 3's entity that a call sends or returns, if the table names no fields. */
const ENTITIES: Record<string, string> = {
  'GET /profile': 'User / profile',
  'GET /notifications': 'Notification',
  'GET /super-admin/sensei': 'Sensei record (super admin list)',
  'POST /sensei/register': 'Sensei registration payload',
  'POST /students': 'Student creation payload',
  'GET /classes': 'Class',
  'POST /classes': 'Class',
  'GET /attendance': 'Attendance record',
  'POST /attendance': 'Attendance record',
  'GET /announcements': 'Announcement',
  'GET /student-birthdays': 'Birthday entry',
  'GET /payment-statistics': 'Payment statistics',
  'GET /payment-records': 'Payment record',
}

/** Words of the table that are not fields; the three class names are the web's fallback. */
const NO_FIELDS = [
  'list',
  'none',
  'body',
  'records',
  'statistics',
  'cedar_park',
  'travisso',
  'saturday',
]

/** words_with_underscores, and single words in braces or between commas. */
function namesIn(words: string): string[] {
  const listedWords = words
    .replaceAll(/\([^)]*\)/g, '')
    .split(/[,{};:.]|\band\b/)
    .map((part) => part.replace(/^\s*(returns|optional)\s/, '').trim())
    .filter((part) => /^_?[a-z]\w+$/.test(part))
  return [...(words.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []), ...listedWords].filter(
    (name) => !NO_FIELDS.includes(name),
  )
}

export function specifiedCalls(): SpecifiedCall[] {
  const specification = readFileSync(
    join(import.meta.dirname, '../../../docs/specification.md'),
    'utf8',
  )
  const entityOf = (call: string) =>
    specification
      .split('\n')
      .find((line) => line.startsWith(`**${ENTITIES[call]}**: `))
      ?.replace(/^\S[^:]*:/, '') ?? ''
  return [
    ...specification.matchAll(/^\| ((?:GET|POST|PUT|DELETE)\b[^|]*) \| ([^|]*) \|$/gm),
  ].flatMap(([, calls = '', words = '']) => {
    const paths = calls.match(/\/[^\s,?]+/g) ?? []
    const methods = calls.match(/\b(GET|POST|PUT|DELETE)\b/g) as SpecifiedCall['method'][]
    return methods.flatMap((method) =>
      paths.map((path) => {
        const call = `${method} ${path}`
        return {
          call,
          method,
          path,
          fieldNames: [...new Set([...namesIn(words), ...namesIn(entityOf(call))])],
        }
      }),
    )
  })
}
