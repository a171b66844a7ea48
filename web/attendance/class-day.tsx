import { NativeSelect, TextInput } from '@mantine/core'
import { classesOn, daysText, timeRange, type DojoClass } from '@tatami/contract/classes'
import { FIRST_DAY, LAST_DAY } from '@tatami/contract/fields'
import { showDay, today, weekdayOf } from '../lib/dates.ts'
import { classOptions } from '../classes/class-options.ts'
import classes from './fields.module.css'
import { isDay } from './use-roll.ts'

type Props = { day: string; onDay: (day: string) => void; classId: string; onClass: (id: string) => void; offered: DojoClass[] }

/** Which class, on which day. The classes of that weekday come first. */
export function ClassDay({ day, onDay, classId, onClass, offered }: Props) {
  const onThatDay = isDay(day) ? classesOn(weekdayOf(day), offered) : []
  const groups = [
    { group: day === today() ? 'Today' : 'On this day', items: classOptions(onThatDay, offered) },
    {
      group: 'On other days',
      items: classOptions(
        offered.filter((one) => !onThatDay.includes(one)),
        offered,
      ),
    },
  ]
  const chosen = offered.find(({ id }) => id === classId)
  const isOdd = chosen && chosen.class_days.length > 0 && !onThatDay.includes(chosen)
  return (
    <div>
      <div className={classes.fields}>
        <TextInput
          type="date"
          label="Date"
          value={day}
          min={FIRST_DAY}
          max={LAST_DAY}
          onChange={(event) => onDay(event.currentTarget.value)}
          error={!isDay(day) && 'Please choose a date.'}
        />
        <NativeSelect
          label="Class"
          value={classId}
          onChange={(event) => onClass(event.currentTarget.value)}
          data={[{ value: '', label: 'Select a class' }, ...groups.filter(({ items }) => items.length > 0)]}
        />
      </div>
      <p className={classes.chosen}>
        {[isDay(day) && showDay(day), chosen && timeRange(chosen), isOdd && `usually ${daysText(chosen)}`].filter(Boolean).join(' · ')}
      </p>
    </div>
  )
}
