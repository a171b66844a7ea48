import { useEffect, useEffectEvent, useState } from 'react'
import { afterHistorySettles } from './dialog-history.ts'
import { useUrlQuery } from './url-query.ts'

const URL_PARAMETER = 'open'

/** Returns which dialog of a screen is open, and functions that change and close it. A link such as
 *  "/school?open=invite" opens a dialog, too. `draftDialog` returns the dialog that has a draft. */
export function useLinkedDialog<Dialog extends string>(
  dialogs: readonly Dialog[],
  draftDialog: () => Dialog | null = () => null,
) {
  const [query, changeQuery] = useUrlQuery()
  const linkedDialog = dialogs.find((dialog) => dialog === query.get(URL_PARAMETER)) ?? null
  const [openDialog, setOpenDialog] = useState(() => draftDialog() ?? linkedDialog)
  // The screen may already be open when the user follows the link.
  const [lastLinkedDialog, setLastLinkedDialog] = useState(linkedDialog)
  if (linkedDialog !== lastLinkedDialog) {
    setLastLinkedDialog(linkedDialog)
    if (linkedDialog) setOpenDialog(linkedDialog)
  }
  const removeUrlParameter = useEffectEvent(() => changeQuery({ [URL_PARAMETER]: '' }))
  // Removes the parameter, because Back or a reload would open the dialog again. This changes the
  // history entry below the dialog's own entry, so it waits until that entry is gone.
  const isLinkUsed = linkedDialog !== null && openDialog === null
  useEffect(() => {
    if (isLinkUsed) afterHistorySettles(() => removeUrlParameter())
  }, [isLinkUsed])
  return [openDialog, setOpenDialog, () => setOpenDialog(null)] as const
}
