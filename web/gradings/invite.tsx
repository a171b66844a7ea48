import { Button } from '@mantine/core'
import type { Reply } from '@tatami/contract/lib/endpoint'
import type { Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useOpen } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { TestModeWords } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { INVITE_DRAFT } from './drafts.ts'

const InviteSheet = lazyPart(() => import('./invite-sheet.tsx'), 'InviteSheet')

/** Who is not invited yet, unless they have said themselves whether they come. */
const toInvite = ({ candidates }: Grading) =>
  candidates.filter(({ invited_at, answer }) => invited_at === null && answer === 'none')

type Texts = Reply<typeof gradingsApi.invite>['texts']

function sentWords(invitedCount: number, texts: Texts) {
  if (!texts) return `${invitedCount} invited.`
  const skippedWords =
    texts.skipped.length > 0
      ? ` No text to ${texts.skipped.map(({ name }) => name).join(', ')}.`
      : ''
  return `${invitedCount} invited, ${pluralize(texts.total_texts, 'text')} on the way.${skippedWords}`
}

/** The button that invites whoever is not invited yet, none where all are, and what it opens. */
export function useInvite(grading: Grading) {
  const waiting = toInvite(grading)
  // As they were when it was opened: they are invited before it closes.
  const [invitedCandidates, setInvited] = useState(() =>
    drafts.subjectOf(INVITE_DRAFT) === grading.id ? waiting : [],
  )
  const [sentNotice, setDone] = useState<string | null>(null)
  const [isTexted, setTexted] = useState(false)
  const open = useOpen()
  const button = waiting.length > 0 && (
    <Button onClick={() => setInvited(waiting)} {...InviteSheet.intent}>
      Invite{' '}
      {waiting.length === grading.candidates.length ? waiting.length : `${waiting.length} more`}
    </Button>
  )
  const sheet = (
    <>
      {invitedCandidates.length > 0 && (
        <InviteSheet
          grading={grading}
          candidates={invitedCandidates}
          onClose={() => setInvited([])}
          onInvited={(texts) => {
            setDone(sentWords(invitedCandidates.length, texts))
            setTexted((texts?.total_texts ?? 0) > 0)
          }}
        />
      )}
      {sentNotice !== null && (
        <Snackbar
          key={sentNotice}
          act="Open Conversations"
          onAct={() => open('/messages')}
          onGone={() => setDone(null)}
        >
          {sentNotice}
          {isTexted && <TestModeWords />}
        </Snackbar>
      )}
    </>
  )
  return { button, sheet }
}
