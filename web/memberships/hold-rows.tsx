import { Button } from '@mantine/core'
import { type Hold, holdsApi } from '@tatami/contract/memberships/holds'
import { useQueryClient } from '@tanstack/react-query'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { describeHold } from './hold-words.ts'
import kit from '../ui/kit.module.css'

type Props = { holds: readonly Hold[]; mayChange: boolean }

/** The holds that are on or coming. */
export function HoldRows({ holds, mayChange }: Props) {
  const openHolds = holds.filter(({ ends_on }) => ends_on === null || ends_on >= today())
  if (openHolds.length === 0) return null
  return (
    <ul aria-label="Holds" className={kit.stackTight}>
      {openHolds.map((hold) => (
        <li key={hold.id} className={`${kit.sunken} ${kit.spread}`}>
          <span>{describeHold(hold)}</span>
          {mayChange && <HoldButton hold={hold} />}
        </li>
      ))}
    </ul>
  )
}

/** Ends a hold that is on. One that is still to come is deleted. */
function HoldButton({ hold: { id, starts_on } }: { hold: Hold }) {
  const cache = useQueryClient()
  const options = {
    onSuccess: () => refreshAll(cache),
    onError: (error: Error) =>
      alertFailure(errorMessage(error, 'The hold could not be changed. Please try again.')),
  }
  const end = useEndpointMutation(holdsApi.end, options)
  const remove = useEndpointMutation(holdsApi.remove, options)
  const isOn = starts_on < today()
  return (
    <Button
      variant="default"
      size="sm"
      disabled={end.isPending || remove.isPending}
      onClick={() =>
        isOn ? end.mutate({ params: { id }, body: {} }) : remove.mutate({ params: { id } })
      }
    >
      {isOn ? 'End the hold' : 'Delete'}
    </Button>
  )
}
