import { TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { studentMatches, type Student } from '@tatami/contract/students'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { beltEdge } from '../students/student-facts.tsx'
import belt from '../ui/belt-edge.module.css'
import classes from './drop-in.module.css'

const AT_MOST = 5

/** Anyone of the dojo may train in any class: who is found and tapped is on the roll, and present. */
export function DropIn({ others, onAdd }: { others: readonly Student[]; onAdd: (student: Student) => void }) {
  const [typed, setTyped] = useState('')
  const found = typed.trim() === '' ? [] : others.filter((student) => studentMatches(student, typed, 'all'))
  const end = useRef<HTMLUListElement>(null)
  // They come below a field that stands at the end of a list.
  useLayoutEffect(() => {
    if (typed) end.current?.scrollIntoView({ block: 'nearest' })
  }, [typed])
  const add = (student: Student) => {
    setTyped('')
    onAdd(student)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (found.length === 1) add(found[0]!)
  }
  return (
    <div className={classes.dropIn}>
      <TextInput
        type="search"
        label="Add a drop-in"
        placeholder="Name or email"
        autoComplete="off"
        value={typed}
        leftSection={<IconUserPlus size={18} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul ref={end} className={classes.found} aria-live="polite">
        {found.slice(0, AT_MOST).map((student) => (
          <li key={student.id}>
            <button
              type="button"
              className={`${belt.edge} ${classes.one}`}
              style={beltEdge(student.belt_level)}
              onClick={() => add(student)}
            >
              <span className={classes.name}>
                {student.name} <span className={classes.email}>{student.email}</span>
              </span>
              <span className={classes.act}>Mark present</span>
            </button>
          </li>
        ))}
        {found.length > AT_MOST && <li className={classes.more}>{found.length - AT_MOST} more: type more of the name.</li>}
        {typed.trim() !== '' && found.length === 0 && <li className={classes.more}>Nobody else in the dojo has this name or email.</li>}
      </ul>
    </div>
  )
}
