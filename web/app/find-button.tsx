import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { isShortcut, SEARCH_KEY } from '../ui/search-box.tsx'

export const FindDialog = lazyComponent(() => import('./find-dialog.tsx'), 'FindDialog')

export const FIND_SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent)
  ? { label: '⌘K', ariaName: 'Meta+K' }
  : { label: 'Ctrl K', ariaName: 'Control+K' }

/** Ctrl+K or Cmd+K works everywhere, and "/" on screens without a search box. */
const isFindShortcut = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k'
    ? (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    : isShortcut(event, SEARCH_KEY) && !document.querySelector('#content [type=search]')

export function FindButton() {
  const [isOpen, setOpen] = useState(false)
  const cache = useQueryClient()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFindShortcut(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const preload = () => {
    FindDialog.preload()
    // If this fails, the dialog tries again and shows the error.
    cache.query(endpointQuery(studentsApi.list)).catch(() => {})
  }
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Find"
        aria-haspopup="dialog"
        aria-keyshortcuts={FIND_SHORTCUT.ariaName}
        title={`Find (${FIND_SHORTCUT.label})`}
        onClick={() => setOpen(true)}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <IconSearch size={24} stroke={1.5} />
      </ActionIcon>
      {isOpen && <FindDialog onClose={() => setOpen(false)} />}
    </>
  )
}
