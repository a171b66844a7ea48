import { classesApi } from '@tatami/contract/classes'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ClassDay } from './class-day.tsx'
import classes from './mark-dialog.module.css'
import { NoClasses } from './no-classes.tsx'
import { RollFoot } from './roll-foot.tsx'
import { RollList } from './roll-list.tsx'
import { isDay, useRoll } from './use-roll.ts'

export type Preset = { classId?: string; day?: string }

type Props = { preset: Preset; isInAddress: boolean; onClose: () => void }

/** Who is here? A class of thirty takes one tap per student. */
export function MarkDialog({ preset, isInAddress, onClose }: Props) {
  const [day, setDay] = useState(preset.day ?? today())
  const [wanted, setWanted] = useState(preset.classId ?? '')
  const offered = useRecoveringQuery(endpointQuery(classesApi.list))
  // A link may name a class that is gone.
  const classId = offered.data?.some(({ id }) => id === wanted) ? wanted : ''
  const roll = useRoll(classId, day)
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Mark Attendance"
      hasEntry={!isInAddress}
      onSubmit={(event) => event.preventDefault()}
      actions={<RollFoot roll={roll} onClose={onClose} />}
    >
      <div className={classes.content}>
        {offered.isMissing ? (
          <ErrorNotice onRetry={offered.retry}>The classes could not be loaded.</ErrorNotice>
        ) : !offered.data ? (
          <Skeletons count={1} height={72} label="Loading" />
        ) : offered.data.length === 0 ? (
          <NoClasses />
        ) : (
          <ClassDay day={day} onDay={setDay} classId={classId} onClass={setWanted} offered={offered.data} />
        )}
        <RollList roll={roll} isChosen={classId !== '' && isDay(day)} canChoose={offered.data?.length !== 0} />
      </div>
    </Sheet>
  )
}
