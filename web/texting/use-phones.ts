import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { StudentPhone } from '@tatami/contract/texting/phones'
import { useQueries } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

export const usePhones = (students: readonly { id: string; name: string }[]) =>
  useQueries({
    queries: students.map(({ id }) =>
      endpointQuery(conversationsApi.studentPhones, { params: { id } }),
    ),
    combine: (queries) => {
      const phones = queries.flatMap(({ data = [] }, index) =>
        addHolderName(data, students[index]?.name),
      )
      return {
        data: queries.every(({ data }) => data) ? removeDuplicatePhones(phones) : undefined,
        isError: queries.some(({ isError }) => isError),
        refetch: () => queries.forEach(({ refetch }) => void refetch()),
      }
    },
  })

const addHolderName = (phones: StudentPhone[], name = '') =>
  phones.map((phone) => ({ ...phone, holder_name: phone.holder_name ?? name }))

const removeDuplicatePhones = (phones: StudentPhone[]) =>
  phones.filter(
    (phone, index) =>
      phones.findIndex(({ phone_number }) => phone_number === phone.phone_number) === index,
  )

export const OPT_OUT_NOTES = new Map<StudentPhone['obstacle'], string>([
  ['replied_stop', 'has replied STOP'],
  ['withdrawn', 'no longer agrees to texts'],
])
export const canGetTexts = ({ obstacle }: StudentPhone) => !OPT_OUT_NOTES.has(obstacle)
