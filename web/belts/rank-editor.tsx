import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, type MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '../ui/lazy-component.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { drawnOf, toLadder } from './ladder-form.ts'
import styles from './rank-editor.module.css'
import { requirementWords } from './rank-words.ts'
import type { LadderFormState } from './use-ladder-form.ts'
import kit from '../ui/kit.module.css'

const RankFields = lazyPart(
  () => import('./rank-fields.tsx'),
  'RankFields',
  <Skeletons count={1} height={480} label="" />,
)

type Props = {
  form: LadderFormState
  /** The place of the rank in the form. */
  index: number
  isLast: boolean
  isOpen: boolean
  onToggle: () => void
  onMove: (by: -1 | 1) => void
  /** Undefined for the only rank. */
  onRemove: (() => void) | undefined
}

/** A rank of the editor: as it is drawn, moved up and down, and opened to be changed. What is wrong in it opens it. */
export function RankEditor({ form, index: at, isLast, isOpen, onToggle, onMove, onRemove }: Props) {
  const rank = form.values.ranks[at]!
  const fields = useId()
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith(`ranks.${at}.`))
  const isShown = isOpen || isWrong
  const name = rank.name || 'New rank'
  const rankBody = toLadder({ ...form.values, ranks: [rank] }).ranks[0]!
  const asks = requirementWords({
    ...rankBody,
    skills: rankBody.skills.map((skill) => ({ id: '', ...skill })),
  })
  const step = (offset: -1 | 1) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget
    if (offset === -1 ? at === 0 : isLast) return
    // A row that changes its place loses the focus.
    flushSync(() => onMove(offset))
    button.focus()
  }
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <button
          type="button"
          data-summary
          className={`${kit.bareButton} ${styles.summary}`}
          aria-expanded={isShown}
          aria-controls={isShown ? fields : undefined}
          onPointerEnter={RankFields.preload}
          onClick={onToggle}
        >
          <RankBelt rank={drawnOf(rank)} level={rank.belt_level} size={48} decorative />
          <span className={styles.what}>
            <span className={styles.name} data-empty={rank.name === ''}>
              {name}
            </span>
            {asks && <span className={kit.note}>{asks}</span>}
          </span>
          {isWrong && (
            <IconAlertTriangle size={20} aria-label="Something is missing" className={kit.red} />
          )}
        </button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Move ${name} up`}
          aria-disabled={at === 0}
          onClick={step(-1)}
        >
          <IconChevronUp size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Move ${name} down`}
          aria-disabled={isLast}
          onClick={step(1)}
        >
          <IconChevronDown size={20} aria-hidden />
        </ActionIcon>
      </div>
      {isShown && (
        <div id={fields} className={styles.fields}>
          <RankFields form={form} at={at} onRemove={onRemove} />
        </div>
      )}
    </li>
  )
}
