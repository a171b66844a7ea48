import { Button, Checkbox, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes'
import { SAMPLE_NAME, textFor } from '@tatami/contract/message-words'
import { useState } from 'react'
import { Sheet } from '../ui/sheet.tsx'
import { lateFeeYears, type Month, MONTHS, monthName } from './month.ts'
import styles from './late-fee-dialog.module.css'

const FIRST_YEAR = 2024
const wordsFor = (month: Month) => `Hi {name}, our records show that your fee for ${monthName(month)} has not been paid yet. Please pay as soon as you can.`

type Props = { classes: readonly DojoClass[]; month: Month; onClose: () => void }

/** Month, year, classes and the text as it will read. */
export function LateFeeDialog({ classes, month: shown, onClose }: Props) {
  const [month, setMonth] = useState({ ...shown, year: Math.max(shown.year, FIRST_YEAR) })
  const [typed, setTyped] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string[]>([])
  const words = typed ?? wordsFor(month)
  const toggle = (id: string) => setChosen((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]))
  return (
    <Sheet opened onClose={onClose} title="Late Fee Reminder" size="medium" actions={(
      <>
        <Button variant="default" onClick={onClose}>Close</Button>
        <Button disabled aria-describedby="not-yet">Send</Button>
      </>
    )}>
      <Stack gap="md">
        <div className={styles.month}>
          <NativeSelect label="Month" value={month.month} onChange={(event) => setMonth({ ...month, month: Number(event.currentTarget.value) })} data={MONTHS.map((label, value) => ({ label, value: String(value) }))} />
          <NativeSelect label="Year" value={month.year} onChange={(event) => setMonth({ ...month, year: Number(event.currentTarget.value) })} data={lateFeeYears(FIRST_YEAR).map(String)} />
        </div>
        <fieldset className={styles.classes}>
          <legend>Classes</legend>
          <Checkbox label="All Students" checked={chosen.length === 0} onChange={() => setChosen([])} />
          {classes.map((c) => <Checkbox key={c.id} label={c.class_name} checked={chosen.includes(c.id)} onChange={() => toggle(c.id)} />)}
        </fieldset>
        <Textarea label="Message" description="{name} becomes the student's first name." autosize minRows={3} value={words} onChange={(event) => setTyped(event.currentTarget.value)} />
        <figure className={styles.preview}>
          <figcaption>Preview</figcaption>
          <p>{textFor(words, SAMPLE_NAME)}</p>
        </figure>
        <Text id="not-yet" className={styles.notYet}>Text messages cannot be sent from Tatami yet. Until then, copy this text.</Text>
      </Stack>
    </Sheet>
  )
}
