import { Button } from '@mantine/core'
import type { Shift } from '@tatami/contract/staff/hours'
import { useState } from 'react'
import { formatClock } from '../lib/work-time.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'
import { describeShift } from './describe-shift.ts'

const ShiftDialog = lazyComponent(() => import('./work-dialogs.ts'), 'ShiftDialog')

type Props = { shifts: readonly Shift[]; showsNames?: boolean }

/** The shift that is running at the kiosk, and shifts that need somebody to enter their times. */
export function OpenShifts({ shifts, showsNames = false }: Props) {
  const [openId, setOpenId] = useState<string | null>(null)
  const shiftsWithoutTimes = shifts.filter(({ needs_times }) => needs_times)
  const runningShift = shifts.find(({ needs_times }) => !needs_times)
  const openShift = shiftsWithoutTimes.find(({ id }) => id === openId)
  return (
    <>
      {runningShift && !showsNames && (
        <p className={kit.sunken}>
          You started work at {formatClock(runningShift.from)}. End it at the kiosk.
        </p>
      )}
      {shiftsWithoutTimes.length > 0 && (
        <Panel title="When did the work end?">
          <FramedList aria-label="Shifts without an end">
            {shiftsWithoutTimes.map((shift) => (
              <FramedRow
                key={shift.id}
                name={showsNames ? shift.person_name : 'Work at the kiosk'}
                details={[describeShift(shift)]}
              >
                <Button
                  variant="default"
                  aria-haspopup="dialog"
                  onClick={() => setOpenId(shift.id)}
                  {...ShiftDialog.preloadOnHover}
                >
                  Enter the times
                  <VisuallyHidden>{` ${describeShift(shift)}`}</VisuallyHidden>
                </Button>
              </FramedRow>
            ))}
          </FramedList>
        </Panel>
      )}
      {openShift && (
        <ShiftDialog
          key={openShift.id}
          shift={openShift}
          description={describeShift(openShift)}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  )
}
