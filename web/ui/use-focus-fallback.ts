import { useLayoutEffect, useRef } from 'react'

/** When a list gets shorter and takes along what had the focus, the heading takes it over. */
export function useFocusFallback(count: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(count)
  useLayoutEffect(() => {
    if (count < before.current && document.activeElement === document.body) heading.current?.focus()
    before.current = count
  }, [count])
  return heading
}
