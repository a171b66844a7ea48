import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { studentsApi } from '@tatami/contract/students'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { isTyping } from '../ui/search-box.tsx'
import styles from './find-button.module.css'

const FindDialog = lazyComponent(() => import('./find-dialog.tsx').then((part) => part.FindDialog))

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl or Cmd with K everywhere; "/" where the screen has no search of its own (search-box.tsx). */
const isShortcut = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k'
    ? (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    : event.key === '/' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !isTyping(event.target) &&
      !document.querySelector('#content [type=search]')

/** Opens the search for anyone and anything, as its keys do. */
export function FindButton(look: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const isDesktop = useLayout() === 'desktop'
  const cache = useQueryClient()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const preload = () => {
    FindDialog.preload()
    void cache.prefetchQuery(endpointQuery(studentsApi.list))
  }
  const opener = { onClick: () => setOpen(true), onPointerEnter: preload, onFocus: preload, 'aria-haspopup': 'dialog' } as const
  return (
    <>
      {isDesktop ? (
        <Button
          variant="default"
          {...look}
          {...opener}
          aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
          leftSection={<IconSearch size={18} aria-hidden />}
        >
          Find{' '}
          <kbd className={styles.keys} aria-hidden>
            {isApple ? '⌘K' : 'Ctrl K'}
          </kbd>
        </Button>
      ) : (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Find" {...opener}>
          <IconSearch size={24} stroke={1.5} />
        </ActionIcon>
      )}
      {isOpen && <FindDialog onClose={() => setOpen(false)} />}
    </>
  )
}
