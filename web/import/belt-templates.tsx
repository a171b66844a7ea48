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

type Props = { style: Style; belts: ImportPlan['belts_in_sheet']; onAdded: () => void }

const MAX_SUGGESTIONS = 3

/** Offers templates that contain the sheet's belts, so that nobody has to explain each belt. */
export function BeltTemplates({ style, belts, onAdded }: Props) {
  const { data: templates = [] } = useQuery(endpointQuery(beltsApi.templates))
  const [isOpen, setIsOpen] = useState(false)
  const { removeDefaultBelts, isRemoving } = useDefaultBeltsRemoval(style, onAdded)
  const finish = () => {
    onAdded()
    removeDefaultBelts()
  }
  const add = useRankMutation(beltsApi.addLadder, { onSuccess: finish })
  const suggestions = suggestTemplates(templates, style, belts)
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
            busy={add.isPending || isRemoving}
            busyLabel="Adding..."
            onClick={() =>
              add.mutate({ params: { id: style.id }, body: { template: template.id } })
            }
          >
            {`${template.name}: ${count} of ${pluralize(belts.length, 'belt')}`}
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
        {failureMessage(add, 'The belts could not be added. Please try again.')}
      </ErrorNotice>
      {isOpen && <TemplatesSheet style={style} onClose={() => setIsOpen(false)} onAdded={finish} />}
    </div>
  )
}

/** A school with its own ladder no longer needs the default belts, unless a student has one. */
function useDefaultBeltsRemoval({ ladders }: Style, onRemoved: () => void) {
  const remove = useRankMutation(beltsApi.removeLadder, { onSuccess: onRemoved })
  const [ladder] = ladders
  const isUnused = ladder !== undefined && hasDefaultBelts(ladders) && countStudents(ladder) === 0
  return {
    removeDefaultBelts: () => isUnused && remove.mutate({ params: { id: ladder.id } }),
    isRemoving: remove.isPending,
  }
}

/** Templates with at least one unknown belt, those with the most belts of the sheet first. */
function suggestTemplates(
  templates: readonly LadderTemplate[],
  { ladders }: Style,
  belts: Props['belts'],
) {
  const usedIds = new Set(ladders.map(({ template }) => template))
  const unknownBelts = belts.filter(({ is_known }) => !is_known)
  const countIn = (template: LadderTemplate, listedBelts: Props['belts']) => {
    const names = new Set(template.ranks.map(({ name }) => rankNameKey(name)))
    return listedBelts.filter(({ belt }) => names.has(rankNameKey(belt))).length
  }
  return templates
    .filter((template) => !usedIds.has(template.id) && countIn(template, unknownBelts) > 0)
    .map((template) => ({ template, count: countIn(template, belts) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_SUGGESTIONS)
}
