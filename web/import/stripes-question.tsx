import type { ExtraStripesChoice } from '@tatami/contract/import/import-form'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { stripesPerBelt } from '@tatami/contract/import/stripes'
import { useCan } from '../lib/current-user.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import kit from '../ui/kit.module.css'

const CHOICES: { value: ExtraStripesChoice; label: string }[] = [
  { value: 'add', label: 'Add stripes to my belts' },
  { value: 'notes', label: 'Save them in the notes' },
]

/** Asked once if the sheet has more stripes than the school's belts. */
export function StripesQuestion({ sheet, state, plan }: ReviewProps) {
  const can = useCan()
  const { rows, belts } = plan.extra_stripes_in_sheet
  const isDisabled = (choice: ExtraStripesChoice) => choice === 'add' && !can('settings')
  const question = 'Should your belts get these stripes?'
  return (
    <div className={`${kit.stackTight} ${styles.choiceRow}`}>
      <span>{describeExtraStripes(belts)}</span>
      <span>{question}</span>
      {can('settings') && (
        <p className={kit.muted}>
          Every belt can then have up to {stripesPerBelt(belts)} stripes. You can change that under
          School, Belts.
        </p>
      )}
      <ChoiceBar
        label={question}
        choices={CHOICES.map((choice) => ({ ...choice, isDisabled: isDisabled(choice.value) }))}
        value={state.extraStripesChoice}
        onChange={sheet.setExtraStripes}
      />
      {isDisabled('add') && (
        <p className={kit.muted}>Ask the owner if your belts should get stripes.</p>
      )}
      {state.extraStripesChoice === '' && (
        <p className={kit.muted}>
          Until you choose, {rows === 1 ? 'this row is' : `these ${rows} rows are`} skipped.
        </p>
      )}
    </div>
  )
}

/** "Your sheet has more stripes than your belts here: White up to 3 and Blue up to 2." */
function describeExtraStripes(belts: ImportPlan['extra_stripes_in_sheet']['belts']): string {
  const parts = belts.map(({ name, stripes }) => `${name} up to ${stripes}`)
  const list = new Intl.ListFormat('en').format(parts)
  return `Your sheet has more stripes than your belts here: ${list}.`
}
