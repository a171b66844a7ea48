import { useState } from 'react'
import type { TextStudent } from './choose-candidates.tsx'
import { useOpenPage } from '../lib/layout-link.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'

const TextPersonDialog = lazyComponent(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const DRAFT_KEY = 'text-nearly-ready'

type DraftText = { student: Parameters<TextStudent>[0]; text: string }

export function useTextStudent() {
  const [draftText, setDraftText] = useState<DraftText | null>(null)
  const [isSent, setSent] = useState(false)
  const openPage = useOpenPage()
  const textStudent: TextStudent = (student, text) => setDraftText({ student, text })
  const textDialog = (
    <>
      {draftText && (
        <TextPersonDialog
          students={[draftText.student]}
          initialText={draftText.text}
          draftKey={DRAFT_KEY}
          onClose={() => setDraftText(null)}
          onSent={() => setSent(true)}
        />
      )}
      {isSent && (
        <Snackbar
          actionLabel="Open Conversations"
          onAction={() => openPage('/messages')}
          onDismiss={() => setSent(false)}
        >
          The text is on its way.
          <TestModeNote />
        </Snackbar>
      )}
    </>
  )
  return { textStudent, textDialog, isTexting: draftText !== null }
}
