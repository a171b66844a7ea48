import { useState } from 'react'
import type { Tell } from './choose-candidates.tsx'
import { useOpenPage } from '../lib/layout-link.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'

const TextPersonDialog = lazyComponent(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const DRAFT = 'text-nearly-ready'

/** `tell` opens a dialog that texts a student, with a draft; `textDialog` is to be rendered. */
export function useStudentText() {
  const [draftText, setTold] = useState<{ student: Parameters<Tell>[0]; words: string } | null>(
    null,
  )
  const [isSent, setSent] = useState(false)
  const open = useOpenPage()
  const tell: Tell = (student, words) => setTold({ student, words })
  const textDialog = (
    <>
      {draftText && (
        <TextPersonDialog
          students={[draftText.student]}
          initialText={draftText.words}
          draftKey={DRAFT}
          onClose={() => setTold(null)}
          onSent={() => setSent(true)}
        />
      )}
      {isSent && (
        <Snackbar
          actionLabel="Open Conversations"
          onAction={() => open('/messages')}
          onDismiss={() => setSent(false)}
        >
          The text is on its way.
          <TestModeNote />
        </Snackbar>
      )}
    </>
  )
  return { tell, textDialog, isTelling: draftText !== null }
}
