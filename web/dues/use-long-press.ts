import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const HOLD_MS = 500
/** A finger that moves further scrolls. */
const SLACK_PX = 10

/** Props of what a finger that rests on it opens. The tap that ends it does nothing else. */
export function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const press = useRef({ x: 0, y: 0, isTouch: false, wasLong: false })
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      cancel()
      press.current = { x: clientX, y: clientY, isTouch: pointerType === 'touch', wasLong: false }
      if (!press.current.isTouch) return
      timer.current = setTimeout(() => {
        press.current.wasLong = true
        onLongPress()
      }, HOLD_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > SLACK_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    onClickCapture: (event: MouseEvent) => {
      if (!press.current.wasLong) return
      press.current.wasLong = false
      event.preventDefault()
      event.stopPropagation()
    },
    // The browser's own menu of a link.
    onContextMenu: (event: MouseEvent) => press.current.isTouch && event.preventDefault(),
  }
}
