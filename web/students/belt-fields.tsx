import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { beltsApi } from '@tatami/contract/belts/belts'
import { BELTS } from '@tatami/contract/lib/ranks'
import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { RankSelect } from '../belts/rank-select.tsx'
import { hasOnlySevenBelts } from '../belts/rank-text.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { capitalize } from '../lib/text.ts'
import { Belt } from '../ui/belt.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import type { StudentForm } from './student-form.ts'
import { Loading } from '../ui/loading.tsx'

type Props = {
  form: Pick<UseFormReturnType<StudentForm>, 'getInputProps' | 'values' | 'getInitialValues'>
}

export function BeltFields({ form }: Props) {
  // Students have ranks only if the dojo has ladders. The student list is already loaded.
  const { data: students } = useQuery({ ...endpointQuery(studentsApi.list), enabled: false })
  const hasRank = form.getInitialValues().rank_id !== ''
  if (hasRank || students?.some(({ rank }) => rank))
    return <RankFields form={form} hasRank={hasRank} />
  return <SevenBeltsSelect form={form} />
}

const SevenBeltsSelect = ({ form }: Props) => (
  <NativeSelect
    label="Belt level"
    data={BELTS.map((value) => ({ value, label: capitalize(value) }))}
    leftSectionWidth="3rem"
    leftSection={<Belt colours={[form.values.belt_level]} size={28} decorative />}
    {...form.getInputProps('belt_level')}
  />
)

function RankFields({ form, hasRank }: Props & { hasRank: boolean }) {
  const belts = useRetryingQuery(endpointQuery(beltsApi.show))
  const ladders = belts.data?.styles.find(({ is_main }) => is_main)?.ladders ?? []
  return (
    <>
      <Loading query={belts} error="The ranks could not be loaded.">
        <SkeletonBlock height="4.25rem" />
      </Loading>
      {belts.data && !hasRank && hasOnlySevenBelts(ladders) && <SevenBeltsSelect form={form} />}
      {belts.data && (hasRank || !hasOnlySevenBelts(ladders)) && (
        <RankSelect
          label="Belt level"
          ladders={ladders}
          placeholder={hasRank ? undefined : 'First belt for their age'}
          {...form.getInputProps('rank_id')}
        />
      )}
      <TextInput
        label="Belt size"
        description="Your supplier’s size, for ordering belts"
        autoComplete="off"
        {...form.getInputProps('belt_size')}
      />
    </>
  )
}
