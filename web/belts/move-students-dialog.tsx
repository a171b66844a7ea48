import { NativeSelect } from '@mantine/core'
import {
  beltsApi,
  type ConversionPreview,
  type Ladder,
  type Style,
} from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import styles from './move-students-dialog.module.css'
import {
  type RankChoices,
  findMovedBelts,
  countStudentsWithBelts,
  describeConversion,
  suggestChoices,
  toConversionBody,
} from './conversion-choices.ts'
import { MOVE_STUDENTS_DRAFT } from './open-dialog.ts'
import { toShownRank } from './rank-text.ts'
import type { RankAct } from './rank-undo-bar.tsx'
import kit from '../ui/kit.module.css'

type Props = { style: Style; ladder: Ladder; onClose: () => void; onDone: (act: RankAct) => void }

export function MoveStudentsDialog(props: Props) {
  const { ladder, onClose } = props
  const preview = useRetryingQuery(
    endpointQuery(beltsApi.conversionPreview, { params: { id: ladder.id } }),
  )
  if (preview.data && preview.data.belts.length > 0)
    return <MoveStudentsForm {...props} preview={preview.data} />
  return (
    <Sheet
      opened
      onClose={onClose}
      title={formatTitle(ladder)}
      actions={<CancelButton>Close</CancelButton>}
    >
      {preview.isPending && <Skeletons count={4} height={72} label="Loading..." />}
      {preview.isUnavailable && (
        <RetryNotice onRetry={preview.retry}>The belts in use could not be loaded.</RetryNotice>
      )}
      {preview.data && <p className={kit.muted}>No students of this age are on another ladder.</p>}
    </Sheet>
  )
}

const formatTitle = ({ name }: Ladder) => `Move students to ${name}`

type FormProps = Props & { preview: ConversionPreview }

function MoveStudentsForm({ style, ladder, preview: { belts }, onClose, onDone }: FormProps) {
  const [suggestedChoices] = useState(() => suggestChoices(belts))
  const [choices, setChoices] = useState<RankChoices>(suggestedChoices)
  const isDirty = () =>
    Object.entries(choices).some(([fromId, toId]) => suggestedChoices[fromId] !== toId)
  useDraft(MOVE_STUDENTS_DRAFT, { values: choices, isDirty, setValues: setChoices }, ladder.id)
  const movedBelts = findMovedBelts(belts, choices)
  const movedCount = pluralize(countStudentsWithBelts(movedBelts), 'student')
  const convert = useRankMutation(beltsApi.convert, {
    onSuccess: ({ act_id, students }) => {
      onDone({
        actId: act_id,
        message: `${pluralize(students, 'student')} moved to ${ladder.name}`,
      })
      onClose()
    },
  })
  return (
    <FormDialog
      title={formatTitle(ladder)}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (convert.isPending || movedBelts.length === 0) return
        convert.mutate({
          params: { id: ladder.id },
          body: { belts: toConversionBody(movedBelts, choices) },
        })
      }}
      isDirty={isDirty()}
      {...progressProps(convert, 'The students could not be moved. Please try again.')}
      submitLabel={movedBelts.length === 0 ? 'Move students' : `Move ${movedCount}`}
      busyLabel="Moving..."
    >
      <div className={kit.stackSmall}>
        <p className={kit.muted}>
          Each belt in use becomes a rank on this ladder. Students keep their time and classes, and
          aren’t notified.
        </p>
        <ul className={kit.hairlines}>
          {belts.map((belt) => (
            <BeltChoice
              key={belt.from_rank_id}
              belt={belt}
              style={style}
              ladder={ladder}
              rankId={choices[belt.from_rank_id] ?? ''}
              onChoose={(id) => setChoices({ ...choices, [belt.from_rank_id]: id })}
            />
          ))}
        </ul>
        <p role="status" className={kit.sunken}>
          {describeConversion(belts, choices, ladder.ranks)}
        </p>
      </div>
    </FormDialog>
  )
}

type ChoiceProps = {
  belt: ConversionPreview['belts'][number]
  style: Style
  ladder: Ladder
  /** Empty for students who stay where they are. */
  rankId: string
  onChoose: (rankId: string) => void
}

function BeltChoice({ belt, style, ladder, rankId, onChoose }: ChoiceProps) {
  const { from_rank_id, name, belt_level, students } = belt
  const allRanks = style.ladders.flatMap(({ ranks }) => ranks)
  const fromRank = allRanks.find(({ id }) => id === from_rank_id)
  const toRank = ladder.ranks.find(({ id }) => id === rankId)
  return (
    <li className={styles.belt}>
      <div className={styles.from}>
        <RankBelt
          rank={fromRank ? toShownRank(fromRank) : null}
          level={belt_level}
          size={48}
          decorative
        />
        <span>
          <span className={`${kit.name} ${styles.name}`}>{name}</span>
          <span className={kit.note}>{pluralize(students, 'student')}</span>
        </span>
      </div>
      <div className={styles.to}>
        <span className={styles.target}>
          {toRank && (
            <RankBelt rank={toShownRank(toRank)} level={toRank.belt_level} size={48} decorative />
          )}
        </span>
        <NativeSelect
          aria-label={`${name} becomes`}
          value={rankId}
          data={[
            ...ladder.ranks.map((rank) => ({ value: rank.id, label: rank.name })),
            { value: '', label: 'No change' },
          ]}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      </div>
    </li>
  )
}
