import { Button } from '@mantine/core'
import type { PhoneInfo } from '@tatami/contract/texting/phones'
import { useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { newLeadPath } from '../lib/paths.ts'
import { drafts } from '../lib/drafts.ts'
import { Badge } from '../ui/badge.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import styles from './phone-details.module.css'
import { PhoneLink } from './phone-link.tsx'
import { labelPhone } from './people.ts'
import { type PhoneLinkResult, usePhoneLinks } from './use-phone-links.ts'
import kit from '../ui/kit.module.css'

/** Loaded only when somebody opens the section, which few people do. */
const PhoneFacts = lazyComponent(() => import('./phone-facts.tsx'), 'PhoneFacts')
const LinkDialog = lazyComponent(() => import('./link-dialog.tsx'), 'LinkDialog')
const ConsentDialog = lazyComponent(() => import('../texting/consent-dialog.tsx'), 'ConsentDialog')

export function PhoneDetails({ phoneInfo }: { phoneInfo: PhoneInfo }) {
  const can = useCan()
  const { phone_number, people, opted_out_at } = phoneInfo
  const [openDialog, setOpenDialog] = useState<'link' | 'consent' | null>(() =>
    drafts.subjectOf('text-consent') === phone_number ? 'consent' : null,
  )
  const [newLink, setNewLink] = useState<PhoneLinkResult | null>(null)
  const { undo, undoError } = usePhoneLinks(phone_number)
  const close = () => setOpenDialog(null)
  const name = people.length > 0 ? labelPhone(phoneInfo) : null
  return (
    <div className={kit.stackTight}>
      <div className={`${kit.row} ${styles.detailsHead}`}>
        <PhoneLink phone={phone_number} name={name} />
        {opted_out_at && (
          <Badge tone="orange">Replied STOP on {formatDateTime(opted_out_at)}</Badge>
        )}
        {people.length === 0 && can('texts.send') && (
          <Button variant="default" size="sm" onClick={() => setOpenDialog('link')}>
            Whose number is this?
          </Button>
        )}
        {people.length === 0 && can('students.edit') && (
          <Button component={LayoutLink} to={newLeadPath(phone_number)} variant="default" size="sm">
            New lead
          </Button>
        )}
      </div>
      <Disclosure summary="About this phone">
        <PhoneFacts phoneInfo={phoneInfo} />
        <WithRight right="texts.send">
          <div className={kit.row}>
            <Button variant="default" size="sm" onClick={() => setOpenDialog('link')}>
              Link this number
            </Button>
            <Button variant="default" size="sm" onClick={() => setOpenDialog('consent')}>
              Record consent
            </Button>
          </div>
        </WithRight>
      </Disclosure>
      <ErrorNotice>
        {undoError && errorMessage(undoError, 'That couldn’t be undone. Please try again.')}
      </ErrorNotice>
      {newLink && (
        <Snackbar
          key={newLink.name}
          actionLabel="Undo"
          onAction={() => {
            undo(newLink)
            setNewLink(null)
          }}
          onDismiss={() => setNewLink(null)}
        >
          Linked to {newLink.name}
        </Snackbar>
      )}
      {openDialog === 'link' && (
        <LinkDialog phone={phone_number} onClose={close} onLinked={setNewLink} />
      )}
      {openDialog === 'consent' && <ConsentDialog phone={phone_number} onClose={close} />}
    </div>
  )
}
