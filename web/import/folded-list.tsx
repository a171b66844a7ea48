import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props<Item> = {
  items: readonly Item[]
  initialCount?: number
  className: string | undefined
  children: (item: Item) => ReactNode
}

export function FoldedList<Item>({ items, initialCount = 5, className, children }: Props<Item>) {
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
