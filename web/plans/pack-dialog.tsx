import { NativeSelect } from '@mantine/core'
import { packsApi, newPack } from '@tatami/contract/memberships/packs'
import { isForVisits, type Plan, plansApi } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PACK_DRAFT } from './open-dialog.ts'

type Props = { student: Student; onClose: () => void }

export function PackDialog({ student, onClose }: Props) {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const packs = plans.filter(({ kind, retired_at }) => isForVisits(kind) && retired_at === null)
  const form = useSchemaForm(newPack, { plan_id: packs[0]?.id ?? '' })
  useDraft(PACK_DRAFT, form, student.id)
  const cache = useQueryClient()
  const sell = useEndpointMutation(packsApi.sell, {
    onSuccess: () => {
      refreshAll(cache)
      onClose()
    },
    onError: form.showRefusal,
  })
  const pack = packs.find(({ id }) => id === form.values.plan_id)
  return (
    <FormDialog
      title={`Classes for ${student.name}`}
      size="small"
      onClose={onClose}
      onSubmit={form.send(
        (body) => sell.isPending || sell.mutate({ params: { id: student.id }, body }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(sell, 'The classes could not be sold. Please try again.')}
      submitLabel="Sell"
      busyLabel="Saving..."
    >
      <NativeSelect
        label="What you sell"
        required
        data={packs.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('plan_id')}
      />
      {pack && <p>{describePack(pack)}. The price is due today.</p>}
    </FormDialog>
  )
}

const describePack = (pack: Plan): string =>
  joinNonEmpty([
    describePlanPrice(pack),
    pack.kind === 'drop_in' && 'for one class today',
    pack.kind === 'pack' &&
      pack.valid_days !== null &&
      `valid for ${pluralize(pack.valid_days, 'day')}`,
  ])
