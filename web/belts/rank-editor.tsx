import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, type MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { toPreviewRank, type RankValues, toRank } from './ladder-form.ts'
import styles from './rank-editor.module.css'
import { describeRequirements } from './rank-text.ts'
import type { LadderFormState } from './use-ladder-form.ts'
import kit from '../ui/kit.module.css'

const RankFields = lazyComponent(
  () => import('./rank-fields.tsx'),
  'RankFields',
  <Skeletons count={1} height={480} label="" />,
)

type Props = {
  form: LadderFormState
  rank: RankValues
  index: number
  isLast: boolean
  isOpen: boolean
  onToggle: () => void
  onMove: (offset: -1 | 1) => void
  onRemove: (() => void) | undefined
}

export function RankEditor(props: Props) {
  const { form, rank, index, isLast, isOpen, onToggle, onMove, onRemove } = props
  const fieldsId = useId()
  const hasError = Object.keys(form.errors).some((path) => path.startsWith(`ranks.${index}.`))
  const isShown = isOpen || hasError
  const name = rank.name || 'New rank'
  const rankBody = toRank(rank)
  const requirements = describeRequirements({
    ...rankBody,
    skills: rankBody.skills.map((skill) => ({ id: '', ...skill })),
  })
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <button
          type="button"
          data-summary
          className={`${kit.bareButton} ${styles.summary}`}
          aria-expanded={isShown}
          aria-controls={isShown ? fieldsId : undefined}
          onPointerEnter={RankFields.preload}
          onClick={onToggle}
        >
          <RankBelt rank={toPreviewRank(rank)} level={rank.belt_level} size={48} decorative />
          <span className={styles.labels}>
            <span className={styles.name} data-empty={rank.name === ''}>
              {name}
            </span>
            {requirements && <span className={kit.note}>{requirements}</span>}
          </span>
          {hasError && (
            <IconAlertTriangle size={20} aria-label="Needs fixing" className={kit.red} />
          )}
        </button>
        <MoveButton name={name} direction="up" isDisabled={index === 0} onMove={onMove} />
        <MoveButton name={name} direction="down" isDisabled={isLast} onMove={onMove} />
      </div>
      {isShown && (
        <div id={fieldsId} className={styles.fields}>
          <RankFields form={form} rank={rank} index={index} onRemove={onRemove} />
        </div>
      )}
    </li>
  )
}

type MoveProps = {
  name: string
  direction: 'up' | 'down'
  isDisabled: boolean
  onMove: (offset: -1 | 1) => void
}

function MoveButton({ name, direction, isDisabled, onMove }: MoveProps) {
  const Chevron = direction === 'up' ? IconChevronUp : IconChevronDown
  const move = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget
    if (isDisabled) return
    // The button would lose the focus when its row moves.
    flushSync(() => onMove(direction === 'up' ? -1 : 1))
    button.focus()
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Move ${name} ${direction}`}
      aria-disabled={isDisabled}
      onClick={move}
    >
      <Chevron size={20} aria-hidden />
    </ActionIcon>
  )
}
