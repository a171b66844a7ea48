import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { StudentPhone } from '@tatami/contract/texting/student-phones'
import { useQueries } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** The phones that a text about these students goes to, each once, with the name of whoever answers. */
export const usePhones = (students: readonly { id: string; name: string }[]) =>
  useQueries({
    queries: students.map(({ id }) =>
      endpointQuery(conversationsApi.studentPhones, { params: { id } }),
    ),
    combine: (asked) => ({
      data: asked.every(({ data }) => data)
        ? uniquePhones(asked.flatMap(({ data = [] }, index) => named(data, students[index]!.name)))
        : undefined,
      isError: asked.some(({ isError }) => isError),
      refetch: () => asked.forEach(({ refetch }) => void refetch()),
    }),
  })

const named = (phones: StudentPhone[], name: string) =>
  phones.map((one) => ({ ...one, holder_name: one.holder_name ?? name }))

const uniquePhones = (phones: StudentPhone[]) =>
  phones.filter(
    (one, index) =>
      phones.findIndex(({ phone_number }) => phone_number === one.phone_number) === index,
  )

/** What keeps every text from a phone. */
export const OPTED_OUT = new Map<StudentPhone['obstacle'], string>([
  ['replied_stop', 'has replied STOP'],
  ['withdrawn', 'no longer agrees to texts'],
])
export const isTexted = ({ obstacle }: StudentPhone) => !OPTED_OUT.has(obstacle)
