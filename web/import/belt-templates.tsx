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

/** Offers the templates that have the belts of the sheet, before anything is answered by hand. */
export function BeltTemplates({ style, belts, onAdded }: Props) {
  const { data: templates = [] } = useQuery(endpointQuery(beltsApi.templates))
  const [isOpen, setIsOpen] = useState(false)
  const { replaceUnusedBelts, isReplacing } = useUnusedBelts(style, onAdded)
  const finish = () => {
    onAdded()
    replaceUnusedBelts()
  }
  const add = useRankMutation(beltsApi.addLadder, { onSuccess: finish })
  const suggestions = suggestTemplates(templates, style, belts)
  return (
    <div className={kit.stackTight}>
      {suggestions.length > 0 && <p>Does your school use one of these? Then we know its belts.</p>}
      <div className={kit.row}>
        {suggestions.map(({ template, count }) => (
          <BusyButton
            key={template.id}
            variant="default"
            busy={add.isPending || isReplacing}
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

/** A school with a ladder of its own does not need the default belts, if nobody has one yet. */
function useUnusedBelts({ ladders }: Style, onReplaced: () => void) {
  const remove = useRankMutation(beltsApi.removeLadder, { onSuccess: onReplaced })
  const [ladder] = ladders
  const isUnused = ladder !== undefined && hasDefaultBelts(ladders) && countStudents(ladder) === 0
  return {
    replaceUnusedBelts: () => isUnused && remove.mutate({ params: { id: ladder.id } }),
    isReplacing: remove.isPending,
  }
}

/** Those with most of the sheet's belts that have at least one of the unknown ones. */
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
