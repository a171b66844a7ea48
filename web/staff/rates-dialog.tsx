import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { formatMoney } from '@tatami/contract/lib/money'
import { type PayRate, payApi } from '@tatami/contract/staff/pay'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import kit from '../ui/kit.module.css'
import { AddRateDialog } from './add-rate-dialog.tsx'
import { RATE_QUERIES } from './work-queries.ts'

/** The current and earlier rates of each person and task. */
export function RatesDialog({ onClose }: { onClose: () => void }) {
  const rates = useRetryingQuery(endpointQuery(payApi.rates))
  const [isAdding, setAdding] = useState(false)
  const people = rates.data?.people ?? []
  const paidPeople = people.filter(({ id }) =>
    rates.data?.rates.some(({ person_id }) => person_id === id),
  )
  return (
    <>
      <Sheet
        opened
        onClose={onClose}
        title="Rates"
        actions={
          <>
            <CancelButton>Close</CancelButton>
            <Button
              leftSection={<IconPlus size={20} aria-hidden />}
              disabled={!rates.data}
              onClick={() => setAdding(true)}
            >
              Add a rate
            </Button>
          </>
        }
      >
        <div className={kit.stack}>
          <p className={kit.muted}>
            A rate applies from its first day until the next rate for the same task starts.
          </p>
          <Loading query={rates} error="The rates could not be loaded.">
            <Skeletons count={3} height={64} label="Loading the rates..." />
          </Loading>
          {rates.data?.rates.length === 0 && <p>No rates yet.</p>}
          {paidPeople.map(({ id, name }) => (
            <PersonRates
              key={id}
              name={name}
              rates={rates.data?.rates.filter(({ person_id }) => person_id === id) ?? []}
            />
          ))}
        </div>
      </Sheet>
      {isAdding && <AddRateDialog people={people} onClose={() => setAdding(false)} />}
    </>
  )
}

const PersonRates = ({ name, rates }: { name: string; rates: readonly PayRate[] }) => (
  <section className={kit.stackTight} aria-label={name}>
    <h3 className={kit.titleSmall}>{name}</h3>
    <FramedList aria-label={`Rates of ${name}`}>
      {rates.map((rate) => (
        <RateRow key={rate.id} rate={rate} />
      ))}
    </FramedList>
  </section>
)

function RateRow({ rate: { id, task, unit, amount, from } }: { rate: PayRate }) {
  const remove = useEndpointMutation(payApi.removeRate, { refreshes: RATE_QUERIES })
  const description = `${formatMoney(amount)} per ${unit}`
  return (
    <FramedRow name={task} details={[`${description}, from ${formatDate(from)}`]}>
      <ActionIcon
        variant="subtle"
        color="red"
        size={44}
        aria-label={`Delete ${task}, ${description}, from ${formatDate(from)}`}
        loading={remove.isPending}
        onClick={() => remove.mutate({ params: { id } })}
      >
        <IconTrash size={20} />
      </ActionIcon>
      <ErrorNotice>
        {failureMessage(remove, 'The rate could not be deleted. Please try again.')}
      </ErrorNotice>
    </FramedRow>
  )
}
