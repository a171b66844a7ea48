import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props<T> = {
  items: readonly T[]
  first?: number
  className: string | undefined
  children: (item: T) => ReactNode
}

export function FoldedList<T>({ items, first = 5, className, children }: Props<T>) {
  const [isAllShown, setIsAllShown] = useState(false)
  if (items.length === 0) return null
  const shownItems = isAllShown ? items : items.slice(0, first)
  return (
    <>
      <ul className={className}>{shownItems.map(children)}</ul>
      {shownItems.length < items.length && (
        <Button variant="default" onClick={() => setIsAllShown(true)}>
          {`Show all ${items.length}`}
        </Button>
      )}
    </>
  )
}
