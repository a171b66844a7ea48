import { useEffect, useEffectEvent, useState } from 'react'
import { afterHistorySettles } from './dialog-history.ts'
import { useUrlQuery } from './url-query.ts'

const PARAM = 'open'

/** The open dialog of a screen. A link can open it, too: "/school?open=invite". `draftDialog`
 *  returns the dialog that has a saved draft. */
export function useLinkedDialog<V extends string>(
  dialogs: readonly V[],
  draftDialog: () => V | null = () => null,
) {
  const [query, changeQuery] = useUrlQuery()
  const linkedDialog = dialogs.find((dialog) => dialog === query.get(PARAM)) ?? null
  const [openDialog, setOpenDialog] = useState(() => draftDialog() ?? linkedDialog)
  // The screen may be open already when the user follows the link.
  const [followedLink, setFollowedLink] = useState(linkedDialog)
  if (linkedDialog !== followedLink) {
    setFollowedLink(linkedDialog)
    if (linkedDialog) setOpenDialog(linkedDialog)
  }
  const removeLink = useEffectEvent(() => changeQuery({ [PARAM]: '' }))
  // Otherwise Back or a reload would open the dialog again. Waits until the dialog's own entry has
  // left the history, because this changes the entry below it.
  const isLinkDone = linkedDialog !== null && openDialog === null
  useEffect(() => {
    if (isLinkDone) afterHistorySettles(() => removeLink())
  }, [isLinkDone])
  return [openDialog, setOpenDialog, () => setOpenDialog(null)] as const
}
