import { IconCheck, IconCloudOff, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId } from 'react'
import { capitalised } from '../lib/capitalised.ts'
import { ApiError, explain, gotNoAnswer } from '../lib/api.ts'
import { beltEdge } from '../students/student-facts.tsx'
import belt from '../ui/belt-edge.module.css'
import { marks } from './marks.ts'
import type { Row } from './roll.ts'
import classes from './roll-row.module.css'

/** The server's words where it refused; what went wrong inside it says nothing here. */
const whyNot = (error: unknown) =>
  gotNoAnswer(error)
    ? 'no answer'
    : error instanceof ApiError && error.status < 500
      ? explain(error, 'refused')
      : 'the server had a problem'

/** The up and down arrows go from Present to Present, and from Absent to Absent. */
function walk(event: KeyboardEvent<HTMLButtonElement>) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  const row = event.currentTarget.closest('li')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelector<HTMLElement>(`[value=${event.currentTarget.value}]`)?.focus()
}

type Props = {
  row: Row
  /** Somebody else on the roll has the same name: the belt is said. */
  hasNamesake: boolean
  onMark: (present: boolean) => void
}

/** A student, and one tap. A tap that failed stays as it was tapped, says so and why, and is tried again by a tap on the name. */
export function RollRow({ row, hasNamesake, onMark }: Props) {
  const { student, present, isDropIn, isSaving, failed } = row
  const unsaved = useId()
  const about = [hasNamesake && `${capitalised(student.belt_level)} belt`, isDropIn && 'Drop-in', student.on_vacation && 'On vacation']
    .filter(Boolean)
    .join(' · ')
  return (
    <li className={`${belt.edge} ${classes.row}`} data-unsaved={failed !== undefined} style={beltEdge(student.belt_level)}>
      {failed ? (
        <button type="button" className={classes.who} onClick={() => marks.retry(failed)}>
          <span className={classes.name}>{student.name} </span>
          <span id={unsaved} className={classes.failure}>
            <IconCloudOff size={16} aria-hidden /> Not saved: {whyNot(failed.failure?.error)}. <u>Try again</u>
          </span>
        </button>
      ) : (
        <div className={classes.who}>
          <span className={classes.name}>{student.name} </span>
          <span className={classes.about}>
            {about}
            {isSaving && <span className={classes.saving}>{about && ' · '}Saving…</span>}
          </span>
        </div>
      )}
      <div role="group" aria-label={student.name} aria-describedby={failed && unsaved} className={classes.choices}>
        <button type="button" value="present" aria-pressed={present === true} onClick={() => onMark(true)} onKeyDown={walk}>
          <IconCheck size={18} stroke={2.5} aria-hidden />
          Present
        </button>
        <button type="button" value="absent" aria-pressed={present === false} onClick={() => onMark(false)} onKeyDown={walk}>
          <IconX size={18} stroke={2.5} aria-hidden />
          Absent
        </button>
      </div>
    </li>
  )
}
