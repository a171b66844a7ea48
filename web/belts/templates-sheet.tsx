import { beltsApi, type LadderTemplate, type Style } from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { capitalize, joinNonEmpty, pluralize } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import { BeltStrip, RankRows } from './rank-rows.tsx'
import { describeAges, templateMatches } from './rank-text.ts'
import styles from './templates-sheet.module.css'
import kit from '../ui/kit.module.css'

type Props = { style: Style; onClose: () => void; onAdded: (ladderId: string) => void }

export function TemplatesSheet({ style, onClose, onAdded }: Props) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(beltsApi.templates),
  )
  const [search, setSearch] = useState('')
  const add = useRankMutation(beltsApi.addLadder, {
    onSuccess: ({ id }) => {
      onAdded(id)
      onClose()
    },
  })
  const pendingBody = add.isPending ? add.variables.body : undefined
  const usedIds = new Set(
    style.ladders.filter(({ is_retired }) => !is_retired).map(({ template }) => template),
  )
  const matchingTemplates = (data ?? []).filter((template) => templateMatches(template, search))
  const addTemplate = ({ id }: LadderTemplate) =>
    add.isPending || add.mutate({ params: { id: style.id }, body: { template: id } })
  return (
    <Sheet opened size="large" onClose={onClose} title="Start from a template" busy={add.isPending}>
      <div className={kit.stackSmall}>
        <p className={styles.note}>
          Templates are a starting point, not a federation&rsquo;s rule book. You can change
          everything later.
        </p>
        <SearchBox value={search} onChange={setSearch} placeholder="Find a style" />
        <ErrorNotice>
          {failureMessage(add, 'The ladder could not be added. Please try again.')}
        </ErrorNotice>
        {isPending && <Skeletons count={4} height={136} label="Loading..." />}
        {isUnavailable && (
          <RetryNotice onRetry={retry}>The templates could not be loaded.</RetryNotice>
        )}
        {data && (
          <p role="status" className={styles.note}>
            {matchingTemplates.length === 0
              ? 'No results. You can create your own.'
              : pluralize(matchingTemplates.length, 'template')}
          </p>
        )}
        <ul className={kit.stackTight}>
          {matchingTemplates.map((template) => (
            <Template
              key={template.id}
              template={template}
              isUsed={usedIds.has(template.id)}
              isBusy={add.isPending}
              isAdding={
                pendingBody !== undefined &&
                'template' in pendingBody &&
                pendingBody.template === template.id
              }
              onUse={() => addTemplate(template)}
            />
          ))}
        </ul>
      </div>
    </Sheet>
  )
}

type TemplateProps = {
  template: LadderTemplate
  isUsed: boolean
  isBusy: boolean
  isAdding: boolean
  onUse: () => void
}

const Template = ({ template, isUsed, isBusy, isAdding, onUse }: TemplateProps) => (
  <li className={`${kit.stackTight} ${styles.template}`}>
    <div className={`${kit.row} ${styles.head}`}>
      <div className={styles.labels}>
        <h3 className={styles.name}>{template.name}</h3>
        <p className={styles.facts}>{describeTemplate(template)}</p>
      </div>
      {isUsed ? (
        <Badge>In use</Badge>
      ) : (
        <BusyButton
          variant="default"
          busy={isBusy}
          busyLabel={isAdding ? 'Adding...' : ''}
          aria-label={`Use ${template.name}`}
          onClick={onUse}
        >
          Use
        </BusyButton>
      )}
    </div>
    <BeltStrip ranks={template.ranks} />
    <Disclosure summary="Show the ranks">
      {template.note && <p className={styles.facts}>{template.note}</p>}
      <RankRows label={`Ranks of ${template.name}`} ranks={template.ranks} />
    </Disclosure>
  </li>
)

const describeTemplate = (template: LadderTemplate) =>
  joinNonEmpty(
    [
      template.style !== 'any' && capitalize(template.style),
      pluralize(template.ranks.length, 'rank'),
      describeAges(template),
    ],
    ' · ',
  )
