import { NativeSelect } from '@mantine/core'
import { beltsApi, type Ladder, type Style } from '@tatami/contract/belts/belts'
import { beltKey } from '@tatami/contract/import/belts'
import { parseGrade, isHighDegree } from '@tatami/contract/import/grades'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { BELTS } from '@tatami/contract/lib/ranks'
import { useQuery } from '@tanstack/react-query'
import { hasOnlySevenBelts } from '../belts/rank-text.ts'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'
import { capitalize, pluralize } from '../lib/text.ts'
import { rankName } from '../ui/rank-name.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Panel } from '../ui/panel.tsx'
import { BeltTemplates } from './belt-templates.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import { StripesQuestion } from './stripes-question.tsx'
import kit from '../ui/kit.module.css'

type BeltInSheet = ImportPlan['belts_in_sheet'][number]

const PLEASE_CHOOSE = { value: 'unknown', label: 'Please choose' }
const NO_BELT = { value: 'none', label: 'No belt yet' }

/** Asks about each belt once for all rows that have it. */
export function BeltChoices({ sheet, state, plan }: ReviewProps) {
  const belts = useQuery(endpointQuery(beltsApi.show))
  const style = belts.data?.styles.find(({ is_main }) => is_main)
  const needsAnswer = ({ belt, is_known }: BeltInSheet) => !is_known || beltKey(belt) in state.belts
  const beltsToAnswer = plan.belts_in_sheet.filter(needsAnswer)
  const otherBelts = plan.belts_in_sheet.filter((belt) => !needsAnswer(belt))
  const can = useCan()
  const lacksStripes = plan.extra_stripes_in_sheet.rows > 0
  if ((beltsToAnswer.length === 0 && !lacksStripes) || !style) return null
  const unknownBelts = beltsToAnswer.filter(({ is_known }) => !is_known)
  const needsBelts = unknownBelts.length > 0 || (lacksStripes && state.extraStripesChoice === '')
  const renderList = (listedBelts: BeltInSheet[]) => (
    <BeltList {...{ sheet, state, style }} belts={listedBelts} />
  )
  return (
    <Panel title={beltsToAnswer.length > 0 ? 'Which belts are these?' : 'Belts and stripes'}>
      {can('settings') && needsBelts && (
        <BeltTemplates style={style} plan={plan} onAdded={sheet.checkAgain} />
      )}
      {unknownBelts.length > 0 && (
        <p className={kit.muted}>
          We don’t know {unknownBelts.length === 1 ? 'this belt' : 'these belts'}. Until you choose,
          their rows are skipped.
        </p>
      )}
      {beltsToAnswer.length > 0 && renderList(beltsToAnswer)}
      {beltsToAnswer.some(({ belt }) => isHighDegree(parseGrade(belt))) && (
        <p className={kit.muted}>
          If you choose a belt without degrees, such as Black, the degree is saved in the notes.
        </p>
      )}
      {lacksStripes && <StripesQuestion {...{ sheet, state, plan }} />}
      {otherBelts.length > 0 && (
        <Disclosure summary="The other belts">{renderList(otherBelts)}</Disclosure>
      )}
    </Panel>
  )
}

type ListProps = Pick<ReviewProps, 'sheet' | 'state'> & { style: Style; belts: BeltInSheet[] }

function BeltList({ sheet, state, style, belts }: ListProps) {
  const options = listOptions(style.ladders)
  const hasRanks = !hasOnlySevenBelts(style.ladders)
  return (
    <ul className={styles.fields}>
      {belts.map((beltInSheet) => {
        const { belt, rows } = beltInSheet
        const value = findChoice(beltInSheet, state.belts[beltKey(belt)], hasRanks)
        return (
          <li key={belt}>
            <NativeSelect
              label={`“${belt}” (${pluralize(rows, 'row')})`}
              value={value}
              data={[
                ...(value === PLEASE_CHOOSE.value ? [PLEASE_CHOOSE] : []),
                ...options,
                NO_BELT,
              ]}
              onChange={({ currentTarget }) =>
                sheet.setBelt(
                  belt,
                  currentTarget.value === NO_BELT.value ? '' : currentTarget.value,
                )
              }
            />
          </li>
        )
      })}
    </ul>
  )
}

function findChoice(
  { is_known, belt_level, rank_id }: BeltInSheet,
  choice: string | undefined,
  hasRanks: boolean,
) {
  if (choice !== undefined) return choice || NO_BELT.value
  if (!is_known) return PLEASE_CHOOSE.value
  return (hasRanks ? rank_id : null) ?? belt_level ?? NO_BELT.value
}

/** Lists the school's ranks, and the seven belts for a belt that is only a color. */
function listOptions(ladders: readonly Ladder[]) {
  const sevenBelts = BELTS.map((value) => ({ value, label: capitalize(value) }))
  if (hasOnlySevenBelts(ladders)) return sevenBelts
  const groups = ladders
    .filter(({ is_retired }) => !is_retired)
    .map(({ name, ranks }) => ({
      group: name,
      items: ranks.map((rank) => ({ value: rank.id, label: rankName({ ...rank, stripes: 0 }) })),
    }))
  return [...groups, { group: 'First rank of this color', items: sevenBelts }]
}
