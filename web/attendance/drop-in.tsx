import { TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { classesApi, type DojoClass } from '@tatami/contract/classes'
import { studentMatches, type Student } from '@tatami/contract/students'
import { useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { capitalised } from '../lib/capitalised.ts'
import { endpointQuery } from '../lib/query.ts'
import { classNames } from '../students/class-groups.ts'
import { beltEdge } from '../students/student-facts.tsx'
import belt from '../ui/belt-edge.module.css'
import classes from './drop-in.module.css'

const AT_MOST = 5

/** Two students may have one name: belt and classes tell them apart, and where those are the same the e-mail. */
const about = ({ email, ...student }: Student, all: readonly DojoClass[]) =>
  [`${capitalised(student.belt_level)} belt`, classNames({ email, ...student }, all) || 'No classes', email].join(' · ')

/** Anyone of the dojo may train in any class: who is found and tapped is on the roll, and present. */
export function DropIn({ others, onAdd }: { others: readonly Student[]; onAdd: (student: Student) => void }) {
  const { data: all = [] } = useQuery(endpointQuery(classesApi.list))
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
      <TextInput
        type="search"
        aria-label="Add a drop-in"
        placeholder="Add a drop-in: name, email or phone"
        autoComplete="off"
        value={typed}
        leftSection={<IconUserPlus size={18} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul className={classes.found} aria-live="polite">
        {found.slice(0, AT_MOST).map((student) => (
          <li key={student.id}>
            <button
              type="button"
              className={`${belt.edge} ${classes.one}`}
              style={beltEdge(student.belt_level)}
              onClick={() => add(student)}
            >
              <span className={classes.name}>
                {student.name} <span className={classes.about}>{about(student, all)}</span>
              </span>
              <span className={classes.act}>Mark present</span>
            </button>
          </li>
        ))}
        {found.length > AT_MOST && <li className={classes.more}>{found.length - AT_MOST} more: type more of the name.</li>}
        {typed.trim() !== '' && found.length === 0 && (
          <li className={classes.more}>Nobody else in the dojo has this name, email or phone number.</li>
        )}
      </ul>
    </div>
  )
}
