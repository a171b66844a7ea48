import { Button } from '@mantine/core'
import { beltsApi, type LadderTemplate, type Style } from '@tatami/contract/belts/belts'
import { rankNameKey } from '@tatami/contract/import/belts'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countStudents, useRankMutation } from '../belts/belts-data.ts'
import { hasDefaultBelts } from '../belts/rank-text.ts'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

const TemplatesSheet = lazyComponent(() => import('../belts/templates-sheet.tsx'), 'TemplatesSheet')

type Props = {
  style: Style
  plan: Pick<ImportPlan, 'belts_in_sheet' | 'extra_stripes_in_sheet'>
  onAdded: () => void
}

const MAX_SUGGESTIONS = 3

/** Offers templates that contain the sheet's belts, so that nobody has to explain each belt. */
export function BeltTemplates({ style, plan, onAdded }: Props) {
  const { data: templates = [] } = useQuery(endpointQuery(beltsApi.templates))
  const [isOpen, setIsOpen] = useState(false)
  const { removeDefaultBelts, isRemoving } = useDefaultBeltsRemoval(style, onAdded)
  const handleAdded = () => {
    onAdded()
    removeDefaultBelts()
  }
  const addLadder = useRankMutation(beltsApi.addLadder, { onSuccess: handleAdded })
  const suggestions = suggestTemplates(templates, style, plan)
  return (
    <div className={kit.stackTight}>
      {suggestions.length > 0 && (
        <p>Does your school use one of these? Choose it to add its belts.</p>
      )}
      <div className={kit.row}>
        {suggestions.map(({ template, count }) => (
          <BusyButton
            key={template.id}
            variant="default"
            py={4}
            busy={addLadder.isPending || isRemoving}
            busyLabel="Adding..."
            onClick={() =>
              addLadder.mutate({ params: { id: style.id }, body: { template: template.id } })
            }
          >
            {`${template.name}: ${count} of ${pluralize(plan.belts_in_sheet.length, 'belt')}`}
          </BusyButton>
        ))}
        <Button
          variant={suggestions.length > 0 ? 'subtle' : 'default'}
          onPointerEnter={TemplatesSheet.preload}
          onClick={() => setIsOpen(true)}
        >
          All templates
        </Button>
      </div>
      <ErrorNotice>
        {failureMessage(addLadder, 'The belts could not be added. Please try again.')}
      </ErrorNotice>
      {isOpen && (
        <TemplatesSheet style={style} onClose={() => setIsOpen(false)} onAdded={handleAdded} />
      )}
    </div>
  )
}

/** A school with its own ladder no longer needs the default belts unless a student has one. */
function useDefaultBeltsRemoval({ ladders }: Style, onRemoved: () => void) {
  const remove = useRankMutation(beltsApi.removeLadder, { onSuccess: onRemoved })
  const [ladder] = ladders
  const isUnused = ladder !== undefined && hasDefaultBelts(ladders) && countStudents(ladder) === 0
  return {
    removeDefaultBelts: () => isUnused && remove.mutate({ params: { id: ladder.id } }),
    isRemoving: remove.isPending,
  }
}

/** Suggests templates that contain an unknown belt, or have enough stripes for the sheet. The one
 *  with the most of the sheet's belts comes first. */
function suggestTemplates(
  templates: readonly LadderTemplate[],
  { ladders }: Style,
  { belts_in_sheet: belts, extra_stripes_in_sheet: extraStripes }: Props['plan'],
) {
  const usedIds = new Set(ladders.map(({ template }) => template))
  const hasUnknownBelt = (names: ReadonlySet<string>) =>
    belts.some(({ belt, is_known }) => !is_known && names.has(rankNameKey(belt)))
  const hasStripes = ({ ranks }: LadderTemplate) =>
    extraStripes.belts.length > 0 &&
    extraStripes.belts.every((belt) =>
      ranks.some(
        (rank) => rankNameKey(rank.name) === rankNameKey(belt.name) && rank.stripes >= belt.stripes,
      ),
    )
  return templates
    .filter(({ id }) => !usedIds.has(id))
    .map((template) => {
      const names = new Set(template.ranks.map(({ name }) => rankNameKey(name)))
      return {
        template,
        isUseful: hasUnknownBelt(names) || hasStripes(template),
        count: belts.filter(({ belt }) => names.has(rankNameKey(belt))).length,
      }
    })
    .filter(({ isUseful }) => isUseful)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_SUGGESTIONS)
}
