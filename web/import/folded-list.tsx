import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props<T> = {
  items: readonly T[]
  initialCount?: number
  className: string | undefined
  children: (item: T) => ReactNode
}

export function FoldedList<T>({ items, initialCount = 5, className, children }: Props<T>) {
  const [areAllShown, setAreAllShown] = useState(false)
  if (items.length === 0) return null
  const visibleItems = areAllShown ? items : items.slice(0, initialCount)
  return (
    <>
      <ul className={className}>{visibleItems.map(children)}</ul>
      {visibleItems.length < items.length && (
        <Button variant="default" onClick={() => setAreAllShown(true)}>
          {`Show all ${items.length}`}
        </Button>
      )}
    </>
  )
}
