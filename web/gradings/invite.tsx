import { Button } from '@mantine/core'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useOpenPage } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { INVITE_DRAFT } from './drafts.ts'

const InviteSheet = lazyComponent(() => import('./invite-sheet.tsx'), 'InviteSheet')

const findUninvited = ({ candidates }: Grading) =>
  candidates.filter(
    ({ invited_at, answer, has_rank }) => invited_at === null && answer === 'none' && !has_rank,
  )

type Texts = Reply<typeof gradingsApi.invite>['texts']

function describeInvitations(invitedCount: number, texts: Texts) {
  if (!texts) return `${invitedCount} invited.`
  const names = texts.skipped.map(({ name }) => name).join(', ')
  const textCount = pluralize(texts.total_texts, 'text')
  const exception = names && ` No text to ${names}.`
  return `${invitedCount} invited, ${textCount} on the way.${exception}`
}

type SentNotice = { message: string; isTexted: boolean }

export function useInvitations(grading: Grading) {
  const uninvitedCandidates = findUninvited(grading)
  // A copy for the open sheet, because the list above gets shorter as candidates are invited.
  const [recipients, setRecipients] = useState(() =>
    drafts.subjectOf(INVITE_DRAFT) === grading.id ? uninvitedCandidates : [],
  )
  const [sentNotice, setSentNotice] = useState<SentNotice | null>(null)
  const openPage = useOpenPage()
  const isFirstInvitation =
    uninvitedCandidates.length === grading.candidates.filter(({ has_rank }) => !has_rank).length
  const button = uninvitedCandidates.length > 0 && (
    <Button onClick={() => setRecipients(uninvitedCandidates)} {...InviteSheet.preloadOnHover}>
      {`Invite ${uninvitedCandidates.length}${isFirstInvitation ? '' : ' more'}`}
    </Button>
  )
  const sheet = (
    <>
      {recipients.length > 0 && (
        <InviteSheet
          grading={grading}
          candidates={recipients}
          onClose={() => setRecipients([])}
          onInvited={(texts) =>
            setSentNotice({
              message: describeInvitations(recipients.length, texts),
              isTexted: (texts?.total_texts ?? 0) > 0,
            })
          }
        />
      )}
      {sentNotice && (
        <Snackbar
          key={sentNotice.message}
          actionLabel="Open Conversations"
          onAction={() => openPage('/messages')}
          onDismiss={() => setSentNotice(null)}
        >
          {sentNotice.message}
          {sentNotice.isTexted && <TestModeNote />}
        </Snackbar>
      )}
    </>
  )
  return { button, sheet }
}
