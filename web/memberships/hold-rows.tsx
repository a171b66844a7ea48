import { addDays } from '@tatami/contract/lib/calendar-day'
import { Button } from '@mantine/core'
import { type Hold, holdsApi } from '@tatami/contract/memberships/holds'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage, progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { describeHold, describeReturn } from './hold-words.ts'
import type { MembershipNotice } from './membership-bar.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  holds: readonly Hold[]
  mayChange: boolean
  onDone: (notice: MembershipNotice) => void
}

/** So long, a hold that ended because the student came back can be taken up again here. */
const DAYS_AFTER_RETURN = 30

/** The holds that are on or coming, and those that a student who came back has ended. */
export function HoldRows({ holds, mayChange, onDone }: Props) {
  const isOpen = ({ ends_on }: Hold) => ends_on === null || ends_on >= today()
  const openHolds = holds.filter(isOpen)
  const firstReturnDay = addDays(today(), -DAYS_AFTER_RETURN)
  const returns = holds.filter(
    (hold) => !isOpen(hold) && hold.returned_on !== null && hold.returned_on >= firstReturnDay,
  )
  if (openHolds.length + returns.length === 0) return null
  return (
    <ul aria-label="Holds" className={kit.stackTight}>
      {openHolds.map((hold) => (
        <li key={hold.id} className={`${kit.sunken} ${kit.spread}`}>
          <span>{describeHold(hold)}</span>
          {mayChange && <HoldButton hold={hold} onDone={onDone} />}
        </li>
      ))}
      {returns.map((hold) => (
        <li key={hold.id} className={`${kit.sunken} ${kit.spread}`}>
          <span>{describeReturn(hold)}</span>
          {mayChange && <ReopenButton hold={hold} />}
        </li>
      ))}
    </ul>
  )
}

const useHoldOptions = (onSuccess: () => void = () => undefined) => {
  const cache = useQueryClient()
  return {
    onSuccess: () => {
      refreshAll(cache)
      onSuccess()
    },
    onError: (error: Error) =>
      alertFailure(errorMessage(error, 'The hold could not be changed. Please try again.')),
  }
}

type ButtonProps = { hold: Hold } & Pick<Props, 'onDone'>

/** A hold that is still to come is deleted instead of ended. */
const HoldButton = ({ hold, onDone }: ButtonProps) =>
  hold.starts_on < today() ? (
    <EndHoldButton hold={hold} onDone={onDone} />
  ) : (
    <DeleteHoldButton hold={hold} />
  )

function EndHoldButton({ hold: { id }, onDone }: ButtonProps) {
  const end = useEndpointMutation(
    holdsApi.end,
    useHoldOptions(() => onDone({ kind: 'released', id, message: 'The hold has ended' })),
  )
  return (
    <Button
      variant="default"
      size="sm"
      disabled={end.isPending}
      onClick={() => end.mutate({ params: { id }, body: {} })}
    >
      End the hold
    </Button>
  )
}

function DeleteHoldButton({ hold }: { hold: Hold }) {
  const [isConfirming, setConfirming] = useState(false)
  const cache = useQueryClient()
  const remove = useEndpointMutation(holdsApi.remove, {
    onSuccess: () => {
      refreshAll(cache)
      setConfirming(false)
    },
  })
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setConfirming(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        danger
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate({ params: { id: hold.id } })}
        title="Delete this hold?"
        confirmLabel="Delete"
        busyLabel="Deleting..."
        {...progressProps(remove, 'The hold could not be deleted. Please try again.')}
      >
        {describeHold(hold)}. Without the hold, its days are charged as usual. You can’t undo this.
      </ConfirmDialog>
    </>
  )
}

function ReopenButton({ hold: { id } }: { hold: Hold }) {
  const reopen = useEndpointMutation(holdsApi.reopen, useHoldOptions())
  return (
    <Button
      variant="default"
      size="sm"
      disabled={reopen.isPending}
      onClick={() => reopen.mutate({ params: { id } })}
    >
      Undo
    </Button>
  )
}
