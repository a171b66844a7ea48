import { TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { studentMatches, type Student } from '@tatami/contract/students'
import { useState, type KeyboardEvent } from 'react'
import { Belt } from '../ui/belt.tsx'
import classes from './drop-in.module.css'

const AT_MOST = 5

/** Anyone of the dojo may train in any class: who is found and tapped is on the roll, and present. */
export function DropIn({ others, onAdd }: { others: readonly Student[]; onAdd: (student: Student) => void }) {
  const [typed, setTyped] = useState('')
  const found = typed.trim() === '' ? [] : others.filter((student) => studentMatches(student, typed, 'all'))
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
      <TextInput type="search" label="Add a drop-in" placeholder="Name or email" autoComplete="off" value={typed} leftSection={<IconUserPlus size={18} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <ul className={classes.found} aria-live="polite">
        {found.slice(0, AT_MOST).map((student) => (
          <li key={student.id}>
            <button type="button" className={classes.one} onClick={() => add(student)}>
              <Belt colour={student.belt_level} size={28} /><span className={classes.name}>{student.name}<span className={classes.email}>{student.email}</span></span>
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
