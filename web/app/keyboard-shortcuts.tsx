import { useEffect, useState } from 'react'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { isShortcut } from '../ui/search-box.tsx'

const ShortcutsSheet = lazyComponent(() => import('./shortcuts-sheet.tsx'), 'ShortcutsSheet')

/** Pressing `?` shows the list of keyboard shortcuts. */
export function KeyboardShortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => isShortcut(event, '?') && setIsOpen(true)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return isOpen && <ShortcutsSheet onClose={() => setIsOpen(false)} />
}
