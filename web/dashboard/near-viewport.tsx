import { useState, type ReactNode } from 'react'

/** How far below the screen it is still near. */
const NEAR = '400px'

/** What is costly and far down the page is made only when one comes near it. Until then it holds its place. */
export function NearViewport({ height, children }: { height: string; children: ReactNode }) {
  const [isNear, setNear] = useState(false)
  if (isNear) return children
  const watch = (place: HTMLDivElement) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: NEAR })
    observer.observe(place)
    return () => observer.disconnect()
  }
  return <div ref={watch} style={{ minHeight: height }} />
}
