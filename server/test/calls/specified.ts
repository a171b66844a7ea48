/** Reads the table of calls in the specification (section 7). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type SpecifiedCall = {
  /** The method and the path, such as "GET /profile". */
  call: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The fields that the specification names for the call. */
  fieldNames: string[]
}

/** For calls without fields in the table, the entity of section 3 that they send or return. */
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

/** Words in the table that are not fields. The last three are class ids. */
const NON_FIELD_WORDS = [
  'list',
  'none',
  'body',
  'records',
  'statistics',
  'cedar_park',
  'travisso',
  'saturday',
]

/** Returns the names with underscores, and the single words in braces or between commas. */
function findFieldNames(description: string): string[] {
  const listedWords = description
    .replaceAll(/\([^)]*\)/g, '')
    .split(/[,{};:.]|\band\b/)
    .map((part) => part.replace(/^\s*(returns|optional)\s/, '').trim())
    .filter((part) => /^_?[a-z]\w+$/.test(part))
  return [...(description.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []), ...listedWords].filter(
    (name) => !NON_FIELD_WORDS.includes(name),
  )
}

export function readSpecifiedCalls(): SpecifiedCall[] {
  const specification = readFileSync(
    join(import.meta.dirname, '../../../docs/specification.md'),
    'utf8',
  )
  const readEntity = (call: string) =>
    specification
      .split('\n')
      .find((line) => line.startsWith(`**${ENTITIES[call]}**: `))
      ?.replace(/^\S[^:]*:/, '') ?? ''
  return [
    ...specification.matchAll(/^\| ((?:GET|POST|PUT|DELETE)\b[^|]*) \| ([^|]*) \|$/gm),
  ].flatMap(([, calls = '', description = '']) => {
    const paths = calls.match(/\/[^\s,?]+/g) ?? []
    const methods = calls.match(/\b(GET|POST|PUT|DELETE)\b/g) as SpecifiedCall['method'][]
    return methods.flatMap((method) =>
      paths.map((path) => {
        const call = `${method} ${path}`
        return {
          call,
          method,
          path,
          fieldNames: [
            ...new Set([...findFieldNames(description), ...findFieldNames(readEntity(call))]),
          ],
        }
      }),
    )
  })
}
