import { Button, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './kiosk.module.css'
import type { CodePerson } from './use-check-in.ts'
import kit from '../ui/kit.module.css'

type Props = {
  people: readonly CodePerson[]
  onCheckIn: (people: readonly CodePerson[]) => void
  onBack: () => void
  busy: boolean
  problem: string | null
}

export function CodeView({ people, onCheckIn, onBack, busy, problem }: Props) {
  const hasClassToday = people.some(({ has_class }) => has_class)
  // If somebody has a class today, only people with a class are checked at first.
  const [uncheckedPasses, setUncheckedPasses] = useState<readonly string[]>(() =>
    people.filter(({ has_class }) => hasClassToday && !has_class).map(({ pass }) => pass),
  )
  const checkedPeople = people.filter(
    ({ pass, is_here }) => !is_here && !uncheckedPasses.includes(pass),
  )
  const toggle = (pass: string) =>
    setUncheckedPasses(
      uncheckedPasses.includes(pass)
        ? uncheckedPasses.filter((uncheckedPass) => uncheckedPass !== pass)
        : [...uncheckedPasses, pass],
    )
  return (
    <div className={styles.step}>
      <h2 className={styles.title}>
        {hasClassToday ? 'Who is here?' : 'You have no class today. Who is here as a guest?'}
      </h2>
      <div className={styles.results}>
        {people.map((person) => (
          <PersonButton
            key={person.pass}
            person={person}
            isChecked={checkedPeople.includes(person)}
            onToggle={() => toggle(person.pass)}
          />
        ))}
      </div>
      <ErrorNotice>{problem}</ErrorNotice>
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <BusyButton
          busy={busy}
          busyLabel="Checking in..."
          disabled={checkedPeople.length === 0}
          onClick={() => onCheckIn(checkedPeople)}
        >
          Check in {checkedPeople.length > 0 ? checkedPeople.length : ''}
        </BusyButton>
      </div>
    </div>
  )
}

type PersonProps = { person: CodePerson; isChecked: boolean; onToggle: () => void }

function PersonButton({ person, isChecked, onToggle }: PersonProps) {
  const { name, class_name, class_time, is_here } = person
  const CheckIcon = isChecked ? IconSquareCheckFilled : IconSquare
  const StateIcon = is_here ? IconCheck : CheckIcon
  return (
    <UnstyledButton
      role="checkbox"
      className={`${kit.card} ${kit.line} ${styles.result}`}
      aria-checked={is_here || isChecked}
      aria-disabled={is_here}
      onClick={is_here ? undefined : onToggle}
    >
      <StateIcon size={32} aria-hidden />
      <span className={kit.fill}>
        {name}
        <span className={`${kit.count} ${kit.title} ${styles.details}`}>
          {is_here ? `Checked in for ${class_name}` : `${class_name}, ${class_time}`}
        </span>
      </span>
    </UnstyledButton>
  )
}
