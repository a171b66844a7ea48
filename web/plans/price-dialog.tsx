import { TextInput } from '@mantine/core'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { type Plan, plansApi, priceAnnouncement } from '@tatami/contract/plans/plans'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { progressProps } from '../lib/api.ts'
import { formatMonthAndDay, today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LoadingSheet } from '../ui/loading.tsx'
import { countAtOtherPrices } from './plan-text.ts'
import { pluralize } from '../lib/text.ts'

type Props = { plan: Plan; onClose: () => void }

const TITLE = 'Tell members about a new price'

export function PriceDialog({ plan, onClose }: Props) {
  const rules = useRetryingQuery(endpointQuery(plansApi.rules))
  if (rules.data)
    return <PriceForm plan={plan} noticeDays={rules.data.price_notice_days} onClose={onClose} />
  return (
    <LoadingSheet
      title={TITLE}
      query={rules}
      error="The rules could not be loaded."
      label="Loading..."
      onClose={onClose}
    />
  )
}

function PriceForm({ plan, noticeDays, onClose }: Props & { noticeDays: number }) {
  const firstDay = addDays(today(), noticeDays)
  const form = useSchemaForm(priceAnnouncement, { effective_on: firstDay })
  const announce = useEndpointMutation(plansApi.announcePrice, {
    refreshes: [plansApi.list],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const { effective_on: day } = form.values
  const members = pluralize(countAtOtherPrices(plan), 'member')
  return (
    <FormDialog
      title={TITLE}
      size="small"
      onClose={onClose}
      onSubmit={form.send(
        (body) => announce.isPending || announce.mutate({ params: { id: plan.id }, body }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(announce, 'The members could not be told. Please try again.')}
      submitLabel={`Tell ${members}`}
      busyLabel="Telling them..."
    >
      <TextInput
        type="date"
        label="First day of the new price"
        required
        min={firstDay}
        {...form.getInputProps('effective_on')}
      />
      <p>
        {members} of {plan.name} will pay {describePlanPrice(plan)}
        {day && ` from their first payment on or after ${formatMonthAndDay(day)}`}. They are told
        now, by email and in the app. Whoever ends the plan before that day pays the old price to
        the end. Within a term, the old price stays until the term is over.
      </p>
    </FormDialog>
  )
}
