import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useLayoutEffect } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]')

/** True if only this key was pressed, no dialog is open, and the user is not typing in a field. */
export const isShortcut = (event: KeyboardEvent, key: string) =>
  event.key === key &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event.target) &&
  !document.querySelector('dialog[open]')

export const SEARCH_KEY = '/'

type Props = {
  value: string
  onChange: (text: string) => void
  onEnter?: () => void
  placeholder: string
}

/** The `/` key focuses the search box, unless the user is typing or a dialog is open. */
export function SearchBox({ value, onChange, onEnter, placeholder }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event, SEARCH_KEY)) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <TextInput
      ref={field}
      type="search"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      enterKeyHint="search"
      placeholder={placeholder}
      aria-label={placeholder.replace(/\.+$/, '')}
      leftSection={<IconSearch size={18} aria-hidden />}
    />
  )
}

/** Returns a ref for the list's heading, which gets the focus when the focused row disappears. */
export function useFocusFallback(rowCount: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const previousRowCount = useRef(rowCount)
  useLayoutEffect(() => {
    if (rowCount < previousRowCount.current && document.activeElement === document.body)
      heading.current?.focus()
    previousRowCount.current = rowCount
  }, [rowCount])
  return heading
}
