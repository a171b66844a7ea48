import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import styles from './import-students.module.css'
import type { FileQuestion, SheetTable } from './read-table.ts'
import kit from '../ui/kit.module.css'

type Props = { question: FileQuestion; onAnswer: (table: SheetTable) => void }

const TITLES: Record<FileQuestion['about'], string> = {
  sheet: 'Which sheet has your students?',
  spelling: 'How are these names spelled?',
}

export function FileQuestionPanel({ question: { about, options }, onAnswer }: Props) {
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={headingId}
      className={`${kit.stackTight} ${styles.fileQuestion}`}
    >
      <h3 id={headingId} className={kit.titleSmall}>
        {TITLES[about]}
      </h3>
      <ul className={styles.fields}>
        {options.map(({ label, description, table }) => (
          <li key={label}>
            <Button
              variant="default"
              fullWidth
              justify="space-between"
              rightSection={description && <span className={kit.muted}>{description}</span>}
              onClick={() => onAnswer(table)}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
