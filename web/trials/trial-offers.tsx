import { Button } from '@mantine/core'
import { formatMoney } from '@tatami/contract/lib/money'
import { type TrialOffer, trialsApi } from '@tatami/contract/trials/trials'
import { useState } from 'react'
import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'
import rows from '../ui/rows.module.css'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'

const TrialOfferDialog = lazyComponent(() => import('./trial-offer-dialog.tsx'), 'TrialOfferDialog')

/** The trials that visitors can book on the public page. */
export function TrialOffers() {
  const offers = useRetryingQuery(endpointQuery(trialsApi.offers))
  const [editedOffer, setEditedOffer] = useState<TrialOffer | 'new' | null>(null)
  return (
    <Panel title="Trials">
      <div className={kit.stack}>
        <p>Visitors book a trial on your public page: first the class, then the day.</p>
        {offers.data && offers.data.length > 0 && (
          <ul className={rows.list}>
            {offers.data.map((offer) => (
              <OfferRow key={offer.id} offer={offer} onEdit={() => setEditedOffer(offer)} />
            ))}
          </ul>
        )}
        <Loading query={offers} error="The trials could not be loaded.">
          <Skeletons count={1} height={64} label="Loading the trials..." />
        </Loading>
        <div className={kit.row}>
          <Button
            variant={offers.data?.length === 0 ? 'filled' : 'default'}
            onClick={() => setEditedOffer('new')}
            {...TrialOfferDialog.preloadOnHover}
          >
            Offer a trial
          </Button>
          <Button component={LayoutLink} to={PATHS.trials} variant="subtle">
            See who comes
          </Button>
        </div>
      </div>
      {editedOffer && (
        <TrialOfferDialog
          offer={editedOffer === 'new' ? null : editedOffer}
          onClose={() => setEditedOffer(null)}
        />
      )}
    </Panel>
  )
}

const OfferRow = ({ offer, onEdit }: { offer: TrialOffer; onEdit: () => void }) => (
  <li>
    <div className={rows.text}>
      <span className={`${kit.name} ${rows.name}`}>
        {offer.name}{' '}
        <Badge tone={offer.is_on ? 'green' : 'plain'}>{offer.is_on ? 'On' : 'Off'}</Badge>
      </span>
      <span className={kit.facts}>
        <span>{pluralize(offer.class_ids.length, 'class', 'classes')}</span>
        <span>{describeAges(offer)}</span>
        {offer.price !== null && <span>{formatMoney(offer.price)}</span>}
      </span>
    </div>
    <Button variant="default" onClick={onEdit}>
      Edit<VisuallyHidden>{` ${offer.name}`}</VisuallyHidden>
    </Button>
  </li>
)

function describeAges({ min_age, max_age }: TrialOffer): string {
  if (min_age === null && max_age === null) return 'All ages'
  if (max_age === null) return `Ages ${min_age} and up`
  return min_age === null ? `Up to age ${max_age}` : `Ages ${min_age} to ${max_age}`
}
