import { useEffect, useState } from 'react'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { isShortcut } from '../ui/search-box.tsx'

const KeysSheet = lazyComponent(() => import('./keys-sheet.tsx'), 'KeysSheet')

/** The key `?` shows which keys there are. */
export function Keys() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => isShortcut(event, '?') && setIsOpen(true)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return isOpen && <KeysSheet onClose={() => setIsOpen(false)} />
}
